import { describeVerdict } from "./describeFill.ts";
import type { Fill } from "./fill.ts";
import { awaitCheck, type AssertionSubject, subjectOf } from "./subject.ts";

/**
 * Adds `leaveNothingBehind()`: no token, native currency or allowance remains on the router and the contracts called.
 */
export function addLeaveNothingBehind(chai: Chai.ChaiStatic, utils: Chai.ChaiUtils): void {
  utils.addMethod(chai.Assertion.prototype, "leaveNothingBehind", function (this: Chai.AssertionStatic) {
    const subject = subjectOf(chai, utils, this);
    awaitCheck(utils, this, () => checkLeftovers(subject));
    return this;
  });
}

async function checkLeftovers(subject: AssertionSubject): Promise<void> {
  const fill = await subject.fill();
  const expected = `expected the fill with ${fill.amount} to leave ${subject.isNegated ? "something" : "nothing"} behind`;
  // A reverted fill leaves everything as it was.
  if (fill.verdict.outcome === "failure") subject.refuse(`${expected}, but ${describeVerdict(fill.verdict)}`);
  const leftovers = fill.leftovers.filter(hurts).map(({ reason }) => reason);
  subject.check(leftovers.length === 0, {
    message: `${expected}, but ${leftovers.join("; ")}`,
    negated: `${expected}, but ${[fill.plan.router, ...fill.proxies].join(", ")} keep nothing`,
    expected: [],
    actual: leftovers,
  });
}

/** A unit or two may remain on a proxy: rounding of rebasing tokens, or a kept unit. */
function hurts({ code, severity }: Fill["leftovers"][number]): boolean {
  return code === "LEFT_ALLOWANCE" || severity !== "note";
}
