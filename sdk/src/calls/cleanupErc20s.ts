import type { Address } from "viem";

import { parseEvmAddress } from "../chains/address.ts";
import { requireAmount } from "../core/amounts.ts";
import { InvalidInputError } from "../core/errors.ts";
import type { Call } from "../protocol/common/call.ts";
import { requireSwept, routerCall, type RouterMetadata, type RouterParameters } from "./routerCall.ts";

export interface Erc20Cleanup {
  readonly token: Address;
  readonly recipient: Address;
  /** Smallest unit; the whole balance by default. */
  readonly amount?: bigint;
}

export interface CleanupErc20sParameters extends RouterParameters, RouterMetadata {
  readonly cleanups: readonly Erc20Cleanup[];
}

/**
 * Builds the router's call that sends its token balances (spec 2, call rule 4).
 *
 * @throws {@link InvalidInputError} when there is nothing to sweep, an amount of zero, which would mean all, no address,
 * or metadata for a router before v3
 */
export function cleanupErc20s({ cleanups, ...router }: CleanupErc20sParameters): Call {
  if (cleanups.length === 0) {
    throw new InvalidInputError({
      field: "cleanups",
      value: [],
      reason: "there is no token to sweep",
      hint: "Name at least one token and its recipient.",
    });
  }
  const amounts = cleanups.map(({ amount }, index) => requireSwept(amount, `cleanups[${index}].amount`));
  return routerCall(router, {
    name: "cleanupErc20s",
    args: [
      cleanups.map(({ token }, index) => parseEvmAddress(token, `cleanups[${index}].token`)),
      cleanups.map(({ recipient }, index) => parseEvmAddress(recipient, `cleanups[${index}].recipient`)),
      amounts.map((amount, index) => requireAmount(amount, `cleanups[${index}].amount`)),
    ],
  });
}
