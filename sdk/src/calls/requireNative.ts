import type { Call } from "../protocol/common/call.ts";
import { cleanupNativeViaCall } from "./cleanupNativeViaCall.ts";
import type { RouterParameters } from "./routerCall.ts";

/**
 * Builds the router's call that fails if the router holds no native currency: it sends one wei to itself. Put it before
 * {@link cleanupNativeViaCall} without an amount, which otherwise skips the call, and the limits in its call data, when
 * nothing was delivered. The same in all router versions.
 *
 * @throws {@link InvalidInputError} without an address of the router
 */
export function requireNative(router: RouterParameters): Call {
  return cleanupNativeViaCall({ ...router, to: router.router, amount: 1n });
}
