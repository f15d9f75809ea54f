import { expect } from "chai";

import { FAIL_REASONS } from "../../../../../packages/protocol/src/schema/values.ts";
import { hintFor, type HintFacts } from "../../../../../packages/crosscall/src/replay/explain/hints.ts";
import { planOf, ROUTER, TOKEN, USER, VAULT } from "../trace/frames.ts";

const facts: HintFacts = {
  plan: planOf([]),
  failReason: "EXECUTION_REVERTED",
  condition: undefined,
  txIndex: 1,
};
const numbers = { needed: 1_000n, had: 990n };
const amounts = { ...numbers, currency: TOKEN };

describe("hintFor", () => {
  const hints: readonly (readonly [string, Partial<HintFacts>, string])[] = [
    [
      "an allowance",
      { condition: { kind: "allowance", spender: VAULT, ...amounts } },
      `Approve at least 1000 of ${TOKEN} to ${VAULT} before txs[1].`,
    ],
    [
      "an allowance for the router",
      { condition: { kind: "allowance", spender: ROUTER, ...amounts } },
      "Use the delivered tokens instead. Do not approve the router: anyone can spend its allowances.",
    ],
    [
      "the delivered amount on the router",
      { condition: { kind: "balance", account: ROUTER, ...amounts } },
      "The calls spend 1000, but only 990 is available: spend the live balance through a proxy, or use EXACT_OUTPUT with 1000.",
    ],
    [
      "a minimum in",
      { condition: { kind: "input", ...amounts } },
      "Set minimumIn to 990 or less, or request a delivery of at least 1000.",
    ],
    [
      "a minimum out",
      { condition: { kind: "swapOutput", ...amounts } },
      "Lower the minimum to 990 or less, or request a new quote: the output is 10 too low.",
    ],
    [
      "a deadline",
      { condition: { kind: "deadline", ...numbers } },
      "Set the deadline later than 1000: it was 990, and a fill takes time.",
    ],
    ["a payment", { condition: { kind: "payment", ...amounts } }, "Send 1000 with the call instead of 990."],
    ["gas", { condition: { kind: "gas", ...numbers } }, "Quote with at least 1000 gas: the limit was 990."],
    [
      "the gas of a program",
      { condition: { kind: "programGas", ...numbers } },
      "Quote with at least 10 more gas, or lower the gas that the program requires: its steps and its fallback need 1000, but the call had 990.",
    ],
    [
      "a non-zero allowance",
      { condition: { kind: "nonZeroAllowance", ...amounts } },
      "Set the allowance to 0 first: the token rejects a change of the existing allowance of 990.",
    ],
  ];
  for (const [what, given, hint] of hints) {
    it(`returns a hint about ${what} with the numbers of the failure`, () => {
      expect(hintFor({ ...facts, ...given })).to.equal(hint);
    });
  }

  it("names the owner of another account's balance, with a general hint", () => {
    const hint = hintFor({
      ...facts,
      failReason: "TRANSFER_AMOUNT_EXCEEDS_BALANCE",
      condition: { kind: "balance", account: USER, ...amounts },
    });
    expect(hint.startsWith(`${USER} has 990 of ${TOKEN} and needs 1000. `)).to.equal(true);
  });

  it("has a hint for every reason", () => {
    for (const failReason of FAIL_REASONS) expect(hintFor({ ...facts, failReason })).to.match(/^[A-Z].*\.$/u);
  });
});
