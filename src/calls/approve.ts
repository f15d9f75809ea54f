import { type Address, encodeFunctionData, erc20Abi, maxUint256 } from "viem";

import type { Call } from "../protocol/call.ts";

/** What {@link approve} takes. */
export interface ApproveParameters {
  readonly token: Address;
  /** Who may move the router's tokens. Never a contract that calls what its caller chooses. */
  readonly spender: Address;
  /** Smallest unit; the maximum when left out, which suits a proxy that moves the live balance (spec 2, call rule 3). */
  readonly amount?: bigint;
}

/**
 * The call that lets a spender move the router's tokens; it must stand before the call that spends (spec 2, call
 * rule 2).
 */
export function approve({ token, spender, amount = maxUint256 }: ApproveParameters): Call {
  return {
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, amount] }),
    value: "0",
  };
}
