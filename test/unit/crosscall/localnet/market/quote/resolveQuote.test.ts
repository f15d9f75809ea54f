import { expect } from "chai";
import fc from "fast-check";

import type { QuoteRequest } from "../../../../../../packages/protocol/src/quote/quoteRequest.ts";
import { findQuoteProblem } from "../../../../../../packages/protocol/src/quote/quoteRules.ts";
import { CurrencyTable } from "../../../../../../packages/crosscall/src/localnet/market/currencies.ts";
import { resolveQuote } from "../../../../../../packages/crosscall/src/localnet/market/quote/resolveQuote.ts";
import { RejectionError } from "../../../../../../packages/crosscall/src/localnet/market/rejection.ts";
import {
  DESTINATION_ID,
  destination,
  destinationDollar,
  destinationEther,
  ORIGIN_ID,
  origin,
  originDollar,
  originEther,
  RECIPIENT,
  USER,
} from "../fixtures.ts";

const market = {
  chains: new Map([origin, destination].map((chain) => [chain.id, chain])),
  currencies: new CurrencyTable([originEther, originDollar, destinationEther, destinationDollar]),
};

const amount = fc.oneof(fc.constantFrom("0", "1", "2", "3", "01", "x"), fc.bigInt({ min: 0n }).map(String));
const account = fc.constantFrom(USER, RECIPIENT, USER.toLowerCase(), "0x12");
const calls = fc.array(
  fc.record({ to: account, data: fc.constantFrom("0x", "0x12", "0x1"), value: fc.constantFrom("0", "1", "x") }),
  { maxLength: 3 },
);

/** Valid and invalid requests between the network's chains and currencies. */
const requests: fc.Arbitrary<QuoteRequest> = fc
  .record(
    {
      user: account,
      originChainId: fc.constant(ORIGIN_ID),
      destinationChainId: fc.constant(DESTINATION_ID),
      originCurrency: fc.constantFrom(originEther, originDollar).map(({ currency }) => currency.address),
      destinationCurrency: fc.constantFrom(destinationEther, destinationDollar).map(({ currency }) => currency.address),
      tradeType: fc.constantFrom("EXACT_INPUT" as const, "EXPECTED_OUTPUT" as const, "EXACT_OUTPUT" as const),
      amount,
      recipient: account,
      refundTo: account,
      txs: calls,
      slippageTolerance: fc.constantFrom("0", "50", "10001"),
      appFees: fc.array(fc.record({ recipient: account, fee: fc.constantFrom("1", "6000") }), { maxLength: 2 }),
      maxRouteLength: fc.constantFrom(3, 4),
      includedOriginSwapSources: fc.array(fc.constantFrom("a", "b"), { maxLength: 2 }),
    },
    {
      requiredKeys: [
        "user",
        "originChainId",
        "destinationChainId",
        "originCurrency",
        "destinationCurrency",
        "tradeType",
        "amount",
      ],
    },
  )
  .map((request) => request as QuoteRequest);

describe("resolveQuote", () => {
  it("accepts and rejects the same requests as the rules, for the same reasons", () => {
    let accepted = 0;
    fc.assert(
      fc.property(requests, (request) => {
        const problem = findQuoteProblem(request);
        if (problem === undefined) {
          accepted += 1;
          expect(resolveQuote(market, request).request).to.equal(request);
          return;
        }
        expect(rejectionOf(request)).to.deep.include({
          errorCode: problem.errorCode,
          errorData: `${problem.field}: ${problem.reason}`,
          field: problem.field,
          hint: problem.hint,
        });
      }),
      { numRuns: 1_000 },
    );
    expect(accepted).to.be.greaterThan(20);
  });
});

function rejectionOf(request: QuoteRequest): unknown {
  try {
    resolveQuote(market, request);
    return undefined;
  } catch (error) {
    if (error instanceof RejectionError) return error.body;
    throw error;
  }
}
