import { type Address, encodeFunctionData, erc20Abi } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import type { ChainContracts } from "../devchain/contracts.ts";
import type { EvmCall } from "../devchain/devChain.ts";

export interface ApprovalParameters {
  readonly token: Address;
  readonly spender: Address;
  /** Smallest unit. */
  readonly amount: bigint;
  readonly mayHaveAllowance: boolean;
}

/** Tether reverts when an allowance changes from one non-zero value to another. */
export function approvalCalls(
  { tether }: Pick<ChainContracts, "tether">,
  { token, spender, amount, mayHaveAllowance }: ApprovalParameters,
): EvmCall[] {
  const approval = approveCall(token, spender, amount);
  const needsReset = mayHaveAllowance && isSameAddress(token, tether);
  return needsReset ? [approveCall(token, spender, 0n), approval] : [approval];
}

export function approveCall(token: Address, spender: Address, amount: bigint): EvmCall {
  return {
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, amount] }),
    value: 0n,
  };
}
