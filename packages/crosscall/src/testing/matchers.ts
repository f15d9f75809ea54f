import { isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import type { FailReason } from "@crosscall/protocol/request";
import { FAIL_REASONS } from "@crosscall/protocol/schema";
import type { ReceivedQuote } from "@crosscall/protocol/quote/rules";
import type { Preflight } from "@crosscall/sdk/kit";
import type { Address } from "viem";

import { type AccountLike, addressOf } from "./fillablePlan.ts";
import type { Fill } from "./runFill.ts";
import type { ExpectedDelivery } from "./matcherTypes.ts";
import { awaitCheck, type AssertionSubject, subjectOf } from "./subject.ts";
import type { PreflightOptions } from "../replay/preflight/preflight.ts";
import { describeCondition, type Verdict } from "../replay/verdict.ts";

// Keeps the augmented types of the matchers.
export type * from "./matcherTypes.ts";

/** Chai plugin with matchers for fills and quotes: `chai.use(crosscallMatchers)`. */
export const crosscallMatchers: Chai.ChaiPlugin = (chai, utils) => {
  addDeliver(chai, utils);
  addCheck(chai, utils, "leaveNothingBehind", checkLeftovers);
  addFailWith(chai, utils);
  addCheck(chai, utils, "passPreflight", checkPreflight);
};

/** Adds a matcher that must be awaited. Only the quote matcher has options. */
function addCheck(
  chai: Chai.ChaiStatic,
  utils: Chai.ChaiUtils,
  name: string,
  check: (subject: AssertionSubject, options: PreflightOptions) => Promise<void>,
): void {
  utils.addMethod(chai.Assertion.prototype, name, function (this: Chai.AssertionStatic, options: PreflightOptions) {
    const subject = subjectOf(chai, utils, this);
    awaitCheck(utils, this, () => check(subject, options));
    return this;
  });
}

/** Adds `deliver(token, amount).to(account)`: the increase of an account's balance. */
function addDeliver(chai: Chai.ChaiStatic, utils: Chai.ChaiUtils): void {
  utils.addMethod(
    chai.Assertion.prototype,
    "deliver",
    function (this: Chai.AssertionStatic, token: AccountLike, amount: ExpectedDelivery) {
      const subject = subjectOf(chai, utils, this);
      // Sets the methods on the assertion itself. Hardhat loads chai-as-promised, which returns the assertion instead
      // of the matcher's result.
      Object.defineProperty(this, "to", {
        configurable: true,
        value: (account: AccountLike) => {
          Reflect.deleteProperty(this, "to");
          awaitCheck(utils, this, () => checkDelivery(subject, token, amount, account));
          return this;
        },
      });
      // Throws, because an assertion without an account would always pass.
      Object.assign(this, { then: rejectAwait(subject) });
      return this;
    },
  );
}

function rejectAwait(subject: AssertionSubject): PromiseLike<never>["then"] {
  return (resolve, reject) =>
    Promise.resolve()
      .then(() => subject.refuse("deliver(token, amount) requires the receiving account: add .to(account)"))
      .then(resolve, reject);
}

async function checkDelivery(
  subject: AssertionSubject,
  token: AccountLike,
  amount: ExpectedDelivery,
  account: AccountLike,
): Promise<void> {
  const [fill, currency, receiver] = [
    await subject.fill(),
    await addressOf(token, "token"),
    await addressOf(account, "account"),
  ];
  const expected = `expected the fill with ${fill.amount} ${subject.isNegated ? "not " : ""}to deliver`;
  if (fill.verdict.outcome === "failure") {
    subject.refuse(`${expected} ${describeCurrency(currency)} to ${receiver}, but ${describeVerdict(fill.verdict)}`);
  }
  const delivered = deliveredTo(fill, currency, receiver);
  const [least, most] = typeof amount === "bigint" ? [amount, amount] : [amount.atLeast, undefined];
  const asked = `${expected} ${most === undefined ? "at least " : ""}${least} of ${describeCurrency(currency)} to ${receiver}`;
  subject.check(delivered >= least && (most === undefined || delivered <= most), {
    message: `${asked}, but it delivered ${delivered} (${describeDifference(delivered - least)}); ${describeGains(fill, currency)}`,
    negated: `${asked}, but it delivered ${delivered}`,
    expected: least,
    actual: delivered,
  });
}

function deliveredTo({ balances }: Fill, currency: string, receiver: string): bigint {
  const change = balances.find(
    (balance) => isSameAddress(balance.currency, currency) && isSameAddress(balance.account, receiver),
  );
  return change === undefined ? 0n : change.after - change.before;
}

function describeDifference(difference: bigint): string {
  return difference < 0n ? `${-difference} less` : `${difference} more`;
}

const FLAG = "crosscall.failWith";

/** Adds `failWith(failReason)` and `.atTx(index)`. */
function addFailWith(chai: Chai.ChaiStatic, utils: Chai.ChaiUtils): void {
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
    reason: "it is not one of the service's failReasons",
    hint: "Use one of FAIL_REASONS of @crosscall/protocol.",
  });
}

/** Requires that no token, native currency or allowance remains on the router and the called contracts, except allowances for proxies. */
async function checkLeftovers(subject: AssertionSubject): Promise<void> {
  const fill = await subject.fill();
  const expected = `expected the fill with ${fill.amount} to leave ${subject.isNegated ? "something" : "nothing"} behind`;
  // A reverted fill leaves the state unchanged.
  if (fill.verdict.outcome === "failure") subject.refuse(`${expected}, but ${describeVerdict(fill.verdict)}`);
  // A proxy can keep one or two units, because rebasing tokens round or because it keeps a unit on purpose.
  const leftovers = fill.leftovers.filter(({ severity }) => severity !== "note").map(({ reason }) => reason);
  subject.check(leftovers.length === 0, {
    message: `${expected}, but ${leftovers.join("; ")}`,
    negated: `${expected}, but ${[fill.plan.router, ...fill.proxies].join(", ")} keep no funds`,
    expected: [],
    actual: leftovers,
  });
}

/** Requires that both legs of a quote work and match the request. */
async function checkPreflight(subject: AssertionSubject, options: PreflightOptions): Promise<void> {
  const given = await subject.given();
  const preflight = toPreflight(given);
  if (preflight === undefined) return subject.refuse("expected a quote from getQuote, or `{ request, quote }`");
  // Imported here, because tests that only fill plans need no forks.
  const { createPreflight } = await import("../replay/preflight/preflight.ts");
  const { verdict, findings, requestId } = await createPreflight(options)(preflight);
  const errors = findings.filter(({ severity }) => severity === "error");
  const text = errors.map(({ code, leg, reason }) => `${code} (${leg}): ${reason}`);
  const expected = `expected the quote of request ${requestId} ${subject.isNegated ? "not " : ""}to pass its preflight`;
  subject.check(verdict === "passed", {
    message: `${expected}, but ${text.join("; ")}`,
    negated: `${expected}, but both legs work`,
    expected: [],
    actual: errors.map(({ code }) => code),
  });
}

function toPreflight(given: unknown): Preflight | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  if ("request" in given && "quote" in given) return given as Preflight;
  if (!("quotedRequest" in given)) return undefined;
  const quote = given as ReceivedQuote;
  return { request: quote.quotedRequest, quote };
}

function describeCurrency(currency: Address): string {
  return isEvmNative(currency) ? "native" : currency;
}

function describeVerdict(verdict: Verdict): string {
  if (verdict.outcome === "success") return "it works";
  const { failReason, txIndex, error, condition, hint, explanation } = verdict;
  const place = txIndex === undefined ? "outside of txs" : `at tx ${txIndex}`;
  const described = condition && (explanation?.isCertain === false ? explanation.cause : describeCondition(condition));
  const numbers = described === undefined ? "" : ` (${described})`;
  return `it fails with ${failReason} ${place}: ${error}${numbers}. ${hint}`;
}

function describeGains({ balances }: Fill, currency: Address): string {
  const gains = balances
    .filter((change) => isSameAddress(change.currency, currency) && change.after > change.before)
    .map(({ account, before, after }) => `${after - before} to ${account}`);
  return gains.length === 0 ? "no account received any" : `it brought ${gains.join(", ")}`;
}
