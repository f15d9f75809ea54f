import { expect } from "chai";

import { FAIL_REASONS } from "../../../../sdk/src/protocol/schema/values.ts";
import { hintFor, type HintFacts } from "../../../../src/replay/explain/hintFor.ts";
import { planOf, ROUTER, TOKEN, USER, VAULT } from "../trace/frames.ts";

const facts: HintFacts = {
  plan: planOf([]),
  failReason: "EXECUTION_REVERTED",
  condition: undefined,
  txIndex: 1,
  refusal: undefined,
  specificHint: undefined,
};
const condition = (what: string, currency = TOKEN) => ({ what, needed: 1_000n, had: 990n, currency });

describe("hintFor", () => {
  const hints: readonly (readonly [string, Partial<HintFacts>, string])[] = [
    [
      "an allowance",
      { condition: condition(`allowance of ${VAULT}`) },
      `Approve at least 1000 of ${TOKEN} to ${VAULT} before txs[1].`,
    ],
    [
      "the delivered on the router",
      { condition: condition(`balance of ${ROUTER}`) },
      "The calls spend 1000 where 990 is there: spend the live balance by a proxy, or ask for EXACT_OUTPUT of 1000.",
    ],
    [
      "a minimum in",
      { condition: condition("amount that arrives") },
      "Lower minimumIn to 990 or less, or ask for a delivery of at least 1000.",
    ],
    [
      "a minimum out",
      { condition: condition("output of the swap") },
      "Lower the minimum to 990 or less, or quote anew: the market gives 10 too little.",
    ],
    [
      "a deadline",
      { condition: condition("deadline") },
      "Set the deadline after 1000: it was 990, and a fill takes its time.",
    ],
    ["a payment", { condition: condition("payment") }, "Send 1000 with the call in place of 990."],
    ["gas", { condition: condition("gas") }, "Quote with at least 1000 gas: the limit was 990."],
    [
      "gas that a program asks for",
      { condition: condition("gas for the program") },
      "Quote with at least 10 more gas, or let the program ask for less: its steps and its fallback take 1000, and 990 came with the call.",
    ],
    [
      "an allowance that stands",
      { condition: condition("allowance before a new one") },
      "Set the allowance to 0 first: the token does not change one of 990 into another.",
    ],
    ["what the trace tells", { condition: condition("gas"), specificHint: "Do this." }, "Do this."],
  ];
  for (const [what, given, hint] of hints) {
    it(`hints ${what} with the numbers of the case`, () => {
      expect(hintFor({ ...facts, ...given })).to.equal(hint);
    });
  }

  it("names the holder of another balance, and what to do in general", () => {
    const hint = hintFor({
      ...facts,
      failReason: "TRANSFER_AMOUNT_EXCEEDS_BALANCE",
      condition: condition(`balance of ${USER}`),
    });
    expect(hint.startsWith(`${USER} has 990 of ${TOKEN} and needs 1000. `)).to.equal(true);
  });

  it("has a hint for every reason", () => {
    for (const failReason of FAIL_REASONS) expect(hintFor({ ...facts, failReason })).to.match(/^[A-Z].*\.$/u);
  });
});
