import type { FailReason } from "@crosscall/sdk/internal/protocol/request/failReasons";
import type { AccountLike } from "./accountLike.ts";
import { addDeliver, type ExpectedDelivery } from "./deliver.ts";
import { addFailWith } from "./failWith.ts";
import { addLeaveNothingBehind } from "./leaveNothingBehind.ts";

declare global {
  // The types of chai are a namespace.
  // oxlint-disable-next-line typescript/no-namespace
  namespace Chai {
    interface Assertion {
      /**
       * What an account has more of a currency after a fill; negative amounts for less. To be awaited.
       *
       * @param token a contract or an address; the zero address is native
       * @param amount in the smallest unit: exactly this, or `{ atLeast }`
       * @example await expect(fill).to.deliver(vault, 990n).to(user);
       */
      deliver(token: AccountLike, amount: ExpectedDelivery): FillDelivery;
      /**
       * No token, native or allowance of a fill stays on the router, nor on the proxies and executors that it called. To
       * be awaited.
       */
      leaveNothingBehind(): FillAssertion;
      /** A fill fails, and the service would tell this `failReason`. To be awaited. */
      failWith(failReason: FailReason): FillFailure;
    }

    /** A statement about a fill, which must be awaited. */
    interface FillAssertion extends Assertion, Promise<void> {}

    /** A delivery that lacks its receiver. */
    interface FillDelivery {
      /** Whose the delivery is. */
      to(account: AccountLike): FillAssertion;
    }

    /** A failure, of which more may be said. */
    interface FillFailure extends FillAssertion {
      /** The call of `txs` that failed, from 0. */
      atTx(index: number): FillAssertion;
    }
  }
}

/** Chai plugin with matchers for fills: `chai.use(crosscallMatchers)`. */
export const crosscallMatchers: Chai.ChaiPlugin = (chai, utils) => {
  addDeliver(chai, utils);
  addLeaveNothingBehind(chai, utils);
  addFailWith(chai, utils);
};
