import { expect } from "chai";

import { FAIL_REASONS } from "../../../../src/protocol/values.ts";
import { cureOf, type CureFacts } from "../../../../src/replay/explain/cureOf.ts";
import { planOf, ROUTER, TOKEN, USER, VAULT } from "../trace/frames.ts";

const facts: CureFacts = {
  plan: planOf([]),
  failReason: "EXECUTION_REVERTED",
  condition: undefined,
  txIndex: 1,
  refusal: undefined,
  hint: undefined,
};
const condition = (what: string, currency = TOKEN) => ({ what, needed: 1_000n, had: 990n, currency });

describe("cureOf", () => {
  const cures: readonly (readonly [string, Partial<CureFacts>, string])[] = [
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
    ["what the trace tells", { condition: condition("gas"), hint: "Do this." }, "Do this."],
  ];
  for (const [what, given, cure] of cures) {
    it(`cures ${what} with the numbers of the case`, () => {
      expect(cureOf({ ...facts, ...given })).to.equal(cure);
    });
  }

  it("names the holder of another balance, and what to do in general", () => {
    const cure = cureOf({
      ...facts,
      failReason: "TRANSFER_AMOUNT_EXCEEDS_BALANCE",
      condition: condition(`balance of ${USER}`),
    });
    expect(cure.startsWith(`${USER} has 990 of ${TOKEN} and needs 1000. `)).to.equal(true);
  });

  it("has a cure for every reason", () => {
    for (const failReason of FAIL_REASONS) expect(cureOf({ ...facts, failReason })).to.match(/^[A-Z].*\.$/u);
  });
});
