import type { Address } from "viem";

import { parseEvmAddress } from "../chains/address.ts";
import { requireAmount } from "../core/amounts.ts";
import type { Call } from "../protocol/common/call.ts";
import { requireSwept, routerCall, type RouterMetadata, type RouterParameters } from "./routerCall.ts";

export interface CleanupNativeParameters extends RouterParameters, RouterMetadata {
  readonly recipient: Address;
  /** Wei; the whole balance by default. */
  readonly amount?: bigint;
}

/**
 * Builds the router's call that sends its native balance (spec 2, call rule 4).
 *
 * @throws {@link InvalidInputError} for an amount of zero, which would mean all, no address, or metadata for a router
 * before v3
 */
export function cleanupNative({ recipient, amount, ...router }: CleanupNativeParameters): Call {
  return routerCall(router, {
    name: "cleanupNative",
    args: [requireAmount(requireSwept(amount, "amount"), "amount"), parseEvmAddress(recipient, "recipient")],
  });
}
