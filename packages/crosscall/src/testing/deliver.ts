import { isSameAddress } from "@crosscall/protocol/chains";
import { type AccountLike, addressOf } from "./accountLike.ts";
import { describeCurrency, describeGains, describeVerdict } from "./describeFill.ts";
import type { Fill } from "./fill.ts";
import { awaitCheck, type AssertionSubject, subjectOf } from "./subject.ts";

/** What a fill must deliver, in the smallest unit: exactly this amount, or at least this amount. */
export type ExpectedDelivery = bigint | { readonly atLeast: bigint };

/** Adds `deliver(token, amount).to(account)`: the increase of an account's balance. */
export function addDeliver(chai: Chai.ChaiStatic, utils: Chai.ChaiUtils): void {
  utils.addMethod(
    chai.Assertion.prototype,
    "deliver",
    function (this: Chai.AssertionStatic, token: AccountLike, amount: ExpectedDelivery) {
      const subject = subjectOf(chai, utils, this);
      // On the assertion itself: chai-as-promised, which Hardhat loads, returns it whatever a matcher returns.
      Object.defineProperty(this, "to", {
        configurable: true,
        value: (account: AccountLike) => {
          Reflect.deleteProperty(this, "to");
          awaitCheck(utils, this, () => checkDelivery(subject, token, amount, account));
          return this;
        },
      });
      // Awaited without an account, it would always pass.
      Object.assign(this, { then: refuseAwait(subject) });
      return this;
    },
  );
}

function refuseAwait(subject: AssertionSubject): PromiseLike<never>["then"] {
  return (resolve, reject) =>
    Promise.resolve()
      .then(() => subject.refuse("deliver(token, amount) needs the account that gets it: add .to(account)"))
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
