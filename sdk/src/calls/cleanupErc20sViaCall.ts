import type { Address, Hex } from "viem";

import { parseEvmAddress } from "../chains/address.ts";
import { requireAmount } from "../core/amounts.ts";
import { InvalidInputError } from "../core/errors.ts";
import { type Call, parseCallData } from "../protocol/common/call.ts";
import { requireSwept, routerCall, type RouterParameters } from "./routerCall.ts";

/** A token to approve for an account that is then called. */
export interface Erc20CleanupViaCall {
  readonly token: Address;
  /** Approved for the token, then called. */
  readonly to: Address;
  readonly data: Hex;
  /** Smallest unit; the whole balance by default. */
  readonly amount?: bigint;
}

export interface CleanupErc20sViaCallParameters extends RouterParameters {
  readonly cleanups: readonly Erc20CleanupViaCall[];
}

/**
 * Builds the router's call that approves contracts for its token balances and calls them. The same in all router
 * versions.
 *
 * It fails on tokens that return nothing from `approve`, and does not revoke what a contract did not take: whatever the
 * router has approved, anyone can spend through the approved contract. A token without an amount and without a balance
 * is skipped with its call.
 *
 * @throws {@link InvalidInputError} when there is nothing to move, an amount of zero, which would mean all, no address,
 * or no call data
 */
export function cleanupErc20sViaCall({ cleanups, ...router }: CleanupErc20sViaCallParameters): Call {
  if (cleanups.length === 0) {
    throw new InvalidInputError({
      field: "cleanups",
      value: [],
      reason: "there is no token to move",
      hint: "Name at least one token and whom to call.",
    });
  }
  const amounts = cleanups.map(({ amount }, index) => requireSwept(amount, `cleanups[${index}].amount`));
  return routerCall(router, {
    name: "cleanupErc20sViaCall",
    args: [
      cleanups.map(({ token }, index) => parseEvmAddress(token, `cleanups[${index}].token`)),
      cleanups.map(({ to }, index) => parseEvmAddress(to, `cleanups[${index}].to`)),
      cleanups.map(({ data }, index) => parseCallData(data, `cleanups[${index}].data`)),
      amounts.map((amount, index) => requireAmount(amount, `cleanups[${index}].amount`)),
    ],
  });
}
