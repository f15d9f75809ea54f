import { InvalidInputError } from "@crosscall/protocol/core";
import type { FailReason } from "@crosscall/protocol/request";
import { FAIL_REASONS } from "@crosscall/protocol/schema";
import { describeVerdict } from "./describeFill.ts";
import { awaitCheck, type AssertionSubject, subjectOf } from "./subject.ts";

const FLAG = "crosscall.failWith";

/** Adds `failWith(failReason)` and `.atTx(index)`. */
export function addFailWith(chai: Chai.ChaiStatic, utils: Chai.ChaiUtils): void {
  utils.addMethod(chai.Assertion.prototype, "failWith", function (this: Chai.AssertionStatic, failReason: FailReason) {
    const subject = subjectOf(chai, utils, this);
    requireFailReason(failReason);
    utils.flag(this, FLAG, subject);
    awaitCheck(utils, this, () => checkFailure(subject, failReason));
    return this;
  });
  utils.addMethod(chai.Assertion.prototype, "atTx", function (this: Chai.AssertionStatic, index: number) {
    const subject = utils.flag(this, FLAG) as AssertionSubject | undefined;
    if (subject === undefined) return subjectOf(chai, utils, this).refuse("atTx(index) must follow failWith(reason)");
    if (subject.isNegated) subject.refuse("not.failWith(reason).atTx(index) is ambiguous: omit .not or .atTx");
    awaitCheck(utils, this, () => checkIndex(subject, index));
    return this;
  });
}

async function checkFailure(subject: AssertionSubject, failReason: FailReason): Promise<void> {
  const { amount, verdict } = await subject.fill();
  const seen = verdict.outcome === "failure" ? verdict.failReason : undefined;
  const expected = `expected the fill with ${amount} ${subject.isNegated ? "not " : ""}to fail with ${failReason}`;
  subject.check(seen === failReason, {
    message: `${expected}, but ${describeVerdict(verdict)}`,
    negated: `${expected}, but ${describeVerdict(verdict)}`,
    expected: failReason,
    actual: seen,
  });
}

async function checkIndex(subject: AssertionSubject, index: number): Promise<void> {
  const { amount, verdict } = await subject.fill();
  const seen = verdict.outcome === "failure" ? verdict.txIndex : undefined;
  const message = `expected the fill with ${amount} to fail at tx ${index}, but ${describeVerdict(verdict)}`;
  subject.check(seen === index, { message, negated: message, expected: index, actual: seen });
}

function requireFailReason(failReason: string): void {
  if ((FAIL_REASONS as readonly string[]).includes(failReason)) return;
  throw new InvalidInputError({
    field: "failReason",
    value: failReason,
    reason: "it is not a failReason of the service",
    hint: "Use one of FAIL_REASONS of @crosscall/sdk/protocol.",
  });
}
