import { type Address, encodeFunctionData } from "viem";

import { routerAbi } from "../abi/router.generated.ts";
import { parseEvmAddress } from "../chains/address.ts";
import { requireAmount } from "../core/amounts.ts";
import { InvalidInputError } from "../core/errors.ts";
import type { Call } from "../protocol/call.ts";

/** What {@link cleanupNative} takes. */
export interface CleanupNativeParameters {
  readonly router: Address;
  readonly recipient: Address;
  /** Wei; the full balance when left out. */
  readonly amount?: bigint;
}

/**
 * The router's own call that sends its native balance on (spec 2, call rule 4; router v3 encoding).
 *
 * @throws {@link InvalidInputError} for an amount of zero, which would mean all, or no address
 */
export function cleanupNative({ router, recipient, amount }: CleanupNativeParameters): Call {
  if (amount === 0n) {
    throw new InvalidInputError({
      field: "amount",
      value: amount,
      reason: "the router takes zero for the full balance",
      cure: "Leave amount out to sweep all.",
    });
  }
  return {
    to: parseEvmAddress(router, "router"),
    data: encodeFunctionData({
      abi: routerAbi,
      functionName: "cleanupNative",
      args: [requireAmount(amount ?? 0n, "amount"), parseEvmAddress(recipient, "recipient"), "0x"],
    }),
    value: "0",
  };
}
