import { expect } from "chai";

import { buildOrder } from "../../../../../packages/crosscall/src/localnet/market/quote/buildOrder.ts";
import { assessDeposit } from "../../../../../packages/crosscall/src/localnet/solver/assessDeposit.ts";
import { account, DESTINATION_ID, ORIGIN_ID, price, quote, SOLVER, word } from "../market/fixtures.ts";

const DEADLINE = 1_790_000_000;
const TOKEN = quote.input.currency.address;

const request: Parameters<typeof assessDeposit>[0] = {
  origin_chain_id: ORIGIN_ID,
  origin_currency: TOKEN,
  // A text comparison would rank 9 above 1000.
  input_amount: "1000",
  terms: {},
  request_type: "Bridge",
  expected_output_amount: "900",
  amount_usd: "1.000000",
  fees: { swap: "0", execution: (10n ** 16n).toString(), platform: "0", app: "0" },
  order_data: buildOrder({
    quote,
    price,
    solver: SOLVER,
    salt: word("5"),
    deadline: DEADLINE,
  }),
};
const deposit: Parameters<typeof assessDeposit>[1] = {
  chain_id: ORIGIN_ID,
  currency: TOKEN,
  amount: "1000",
  created_at: new Date((DEADLINE - 500) * 1_000),
};

describe("assessDeposit", () => {
  const accepted: Record<string, [Partial<typeof deposit>, number]> = {
    "the quoted deposit": [{}, DEADLINE - 1],
    "a deposit at the deadline": [{}, DEADLINE],
    "more than was quoted": [{ amount: "1001" }, 0],
    "a currency in different letter case": [{ currency: TOKEN.toLowerCase() }, 0],
  };
  for (const [name, [changes, now]] of Object.entries(accepted)) {
    it(`accepts ${name}`, () => {
      expect(assessDeposit(request, { ...deposit, ...changes }, now)).to.equal(undefined);
    });
  }

  it("reports the first reason to reject a deposit", () => {
    const wrong = { ...deposit, chain_id: DESTINATION_ID, currency: account("c"), amount: "999" };
    const late = DEADLINE + 1;
    expect(assessDeposit(request, wrong, late)).to.equal("DEPOSIT_CHAIN_MISMATCH");
    expect(assessDeposit(request, { ...wrong, chain_id: ORIGIN_ID }, late)).to.equal("INCORRECT_DEPOSIT_CURRENCY");
    expect(assessDeposit(request, { ...deposit, amount: "999" }, late)).to.equal("DEPOSITED_AMOUNT_TOO_LOW_TO_FILL");
    expect(assessDeposit(request, { ...deposit, amount: "11" }, 0)).to.equal("DEPOSITED_AMOUNT_TOO_LOW_TO_FILL");
    expect(assessDeposit(request, { ...deposit, amount: "10" }, 0)).to.equal("NEGATIVE_NEW_AMOUNT_AFTER_FEES");
    expect(assessDeposit(request, { ...deposit, created_at: new Date(late * 1_000) }, late)).to.equal(
      "PROTOCOL_DEADLINE_EXPIRED",
    );
    expect(assessDeposit(request, deposit, late)).to.equal("ORDER_EXPIRED");
    const seenEarly = { ...deposit, created_at: new Date((DEADLINE - 700) * 1_000) };
    expect(assessDeposit(request, seenEarly, DEADLINE - 99)).to.equal("TTL_EXPIRED");
    expect(assessDeposit(request, seenEarly, DEADLINE - 100)).to.equal(undefined);
    expect(assessDeposit({ ...request, expected_output_amount: "0" }, deposit, 0)).to.equal("ORPHANED_DEPOSIT_REFUND");
  });
});
