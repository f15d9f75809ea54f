import type { FailReason } from "@crosscall/protocol/request";
import type { PreflightOptions } from "../replay/preflight/preflight.ts";
import type { AccountLike } from "./fillablePlan.ts";

/** Amount that a fill must deliver, in the smallest unit: exactly this amount, or at least this amount. */
export type ExpectedDelivery = bigint | { readonly atLeast: bigint };

declare global {
  // Chai's types are a namespace.
  // oxlint-disable-next-line typescript/no-namespace
  namespace Chai {
    interface Assertion {
      /**
       * Asserts the increase of an account's balance; negative for a decrease. Must be awaited.
       *
       * @param token a contract or an address; the zero address for native currency
       * @param amount amount in the smallest unit: exactly this amount, or `{ atLeast }`
       * @example await expect(fill).to.deliver(vault, 990n).to(user);
       */
      deliver(token: AccountLike, amount: ExpectedDelivery): FillDelivery;
      /**
       * Asserts that no token, native currency or allowance of the fill remains on the router or on called proxies and
       * executors. Must be awaited.
       */
      leaveNothingBehind(): FillAssertion;
      /** Asserts that the fill fails and that the service would report this `failReason`. Must be awaited. */
      failWith(failReason: FailReason): FillFailure;
      /**
       * Asserts that a quote from `getQuote`, or `{ request, quote }`, passes its preflight: the steps match the
       * request, the fill works with every amount that the order permits, and a refund arrives. Must be awaited.
       *
       * @param options a local network, or `chains` with their endpoints
       * @example await expect(quote).to.passPreflight(network);
       */
      passPreflight(options: PreflightOptions): FillAssertion;
    }

    /** Must be awaited. */
    interface FillAssertion extends Assertion, Promise<void> {}

    interface FillDelivery {
      /** Selects the account with the increase. */
      to(account: AccountLike): FillAssertion;
    }

    interface FillFailure extends FillAssertion {
      /** Asserts the index in `txs` of the failed call. */
      atTx(index: number): FillAssertion;
    }
  }
}
