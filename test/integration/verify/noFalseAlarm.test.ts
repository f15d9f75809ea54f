import { expect } from "chai";
import fc from "fast-check";
import { type Address, erc20Abi, maxUint256, zeroAddress } from "viem";
import { waitForTransactionReceipt, writeContract } from "viem/actions";

import { SEED } from "../../../tools/tests/seed.ts";
import { createServiceClient, getQuote, InvalidInputError, ServiceError } from "../../../packages/sdk/src/index.ts";
import { KIT_SERVICE_ERROR_CODES, SERVICE_ERROR_CODES } from "../../../packages/protocol/src/errors/serviceError.ts";
import type { QuoteRequest } from "../../../packages/protocol/src/index.ts";
import type { ReceivedQuote } from "../../../packages/protocol/src/quote/quoteFreshness.ts";
import { verifyQuote } from "../../../packages/sdk/src/verify/verifyQuote.ts";
import { chainClient } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { createPreflight } from "../../../packages/crosscall/src/replay/preflight/preflight.ts";
import { inputs } from "../../support/inputs.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { randomQuoteRequests } from "./randomQuoteRequests.ts";

/** Number of requests. `npm run test:campaigns` uses 2,000. */
const QUOTES = inputs(100);

/** Balance of each token, in its smallest unit. It exceeds any request's payment. */
const FUNDS = 10n ** 30n;

/** Allowance that is too small for any request, so that it is reset for tokens that require a reset. */
const SMALL_ALLOWANCE = 1n;

/** Kinds of requests with quotes that decoding alone does not always bind. */
const SIMULATED: readonly string[] = [
  "to a deposit address",
  "wrap on one chain",
  "swap on one chain",
  "calls on one chain",
  "recipe on one chain",
  "from the SVM chain",
  "between simulated chains",
];

describe("quotes for random requests", () => {
  const network = useNetwork({ sponsoringApiKeys: ["crosscall-local"] });
  const payers = () => {
    const { user, stranger, spare } = network.accounts;
    const [third = user] = spare;
    return [user, stranger, third] as const;
  };
  const kinds = randomQuoteRequests(network, () => payers().map(({ address }) => address));
  const quotesOfKind = Math.ceil(QUOTES / Object.keys(kinds).length);
  /** Number of quotes per verdict, and number of simulations, for each kind. */
  const seen = new Map<string, Map<string, number>>();

  const approve = async (chain: LocalnetChain, token: Address, payer: number, amount: bigint): Promise<void> => {
    const account = payers()[payer];
    if (account === undefined) throw new Error(`no payer ${payer}`);
    const client = chainClient(chain.id, chain.rpcUrl, account);
    for (const spender of [chain.contracts.depository, chain.contracts.uniswapRouter]) {
      const parameters = { address: token, abi: erc20Abi, functionName: "approve", args: [spender, amount] } as const;
      await waitForTransactionReceipt(client, { hash: await writeContract(client, parameters) });
    }
  };

  before(async () => {
    for (const chain of network.chains) {
      const { dollar, tether, token, wrappedNative } = chain.contracts;
      for (const currency of [zeroAddress, dollar, tether, token, wrappedNative]) {
        for (const { address } of payers()) await chain.fund(address, currency, FUNDS);
        if (currency === zeroAddress) continue;
        await approve(chain, currency, 1, maxUint256);
        await approve(chain, currency, 2, SMALL_ALLOWANCE);
      }
    }
  });

  /** Returns undefined if the service or the client rejects the request. */
  async function tryQuote(request: QuoteRequest): Promise<ReceivedQuote | undefined> {
    const client = createServiceClient({ baseUrl: network.url, apiKey: network.apiKey, limits: false });
    try {
      return await getQuote(client, request);
    } catch (error) {
      if (error instanceof InvalidInputError) return undefined;
      if (!(error instanceof ServiceError)) throw error;
      expect([...SERVICE_ERROR_CODES, ...KIT_SERVICE_ERROR_CODES]).to.include(error.errorCode);
      expect(error.status).to.be.below(500);
      return undefined;
    }
  }

  /** Checks a quote, and returns the categories to count. */
  async function accept(kind: string, request: QuoteRequest): Promise<readonly string[]> {
    const quote = await tryQuote(request);
    fc.pre(quote !== undefined);
    const report = await verifyQuote({ request, quote, trust: network.trust, clock: network.clock });
    expect(report.claims.filter(({ isMet }) => !isMet)).to.deep.equal([]);
    expect(report.verdict).to.be.oneOf(SIMULATED.includes(kind) ? ["bound", "needsSimulation"] : ["bound"]);
    // Other chains do not run, so nothing can be simulated on them.
    const origin = network.chains.find(({ id }) => id === request.originChainId);
    // Random calls can fail.
    const isUnclear = report.verdict === "bound" && (request.txs ?? []).length > 0;
    if (isUnclear || origin === undefined) return [report.verdict];
    const { findings } = await createPreflight(network)({ request, quote });
    // Random calls can leave tokens on the router, which is not a fault of the quote.
    const isOfCalls = (code: string): boolean => code === "LEFT_TOKENS" && (request.txs ?? []).length > 0;
    expect(findings.filter(({ code, severity }) => severity === "error" && !isOfCalls(code))).to.deep.equal([]);
    return [report.verdict, "simulated"];
  }

  for (const [kind, requests] of Object.entries(kinds)) {
    it(`are bound or pass their simulation: ${kind}`, async () => {
      const counts = new Map<string, number>();
      await fc.assert(
        fc.asyncProperty(requests, async (request) => {
          for (const what of await accept(kind, request)) counts.set(what, (counts.get(what) ?? 0) + 1);
        }),
        { seed: SEED, numRuns: quotesOfKind },
      );
      expect((counts.get("bound") ?? 0) + (counts.get("needsSimulation") ?? 0)).to.equal(quotesOfKind);
      seen.set(kind, counts);
    }).timeout(60_000 + quotesOfKind * 1_000);
  }

  it("include every kind and both verdicts", () => {
    expect([...seen.keys()]).to.deep.equal(Object.keys(kinds));
    const of = (what: string): number => [...seen.values()].reduce((sum, counts) => sum + (counts.get(what) ?? 0), 0);
    expect(of("bound") + of("needsSimulation")).to.be.at.least(QUOTES);
    for (const what of ["bound", "needsSimulation", "simulated"]) expect(of(what), what).to.be.above(0);
    for (const [kind, counts] of seen) console.log(`  ${kind}: ${JSON.stringify(Object.fromEntries(counts))}`);
  });
});
