import type { Address, Hex } from "viem";

import { parseEvmAddress } from "../chains/address.ts";
import { requireAmount } from "../core/amounts.ts";
import { type Call, parseCallData } from "../protocol/common/call.ts";
import { requireSwept, routerCall, type RouterParameters } from "./routerCall.ts";

export interface CleanupNativeViaCallParameters extends RouterParameters {
  /** The account to call. */
  readonly to: Address;
  /** Call data; none by default. */
  readonly data?: Hex;
  /** Value in wei; the whole balance by default. */
  readonly amount?: bigint;
}

/**
 * Builds the router's call that calls a contract with its native balance as value. This is how an amount that is known
 * only at the fill reaches a contract: the `value` of a tx is fixed in the quote. Without an amount, the router skips the
 * call if it holds nothing; put {@link requireNative} before it. The same in all router versions.
 *
 * @throws {@link InvalidInputError} for an amount of zero, which would mean all, no address, or no call data
 */
export function cleanupNativeViaCall({ to, data = "0x", amount, ...router }: CleanupNativeViaCallParameters): Call {
  return routerCall(router, {
    name: "cleanupNativeViaCall",
    args: [
      requireAmount(requireSwept(amount, "amount"), "amount"),
      parseEvmAddress(to, "to"),
      parseCallData(data, "data"),
    ],
  });
}
