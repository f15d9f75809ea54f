import { type Address, encodeFunctionData, erc20Abi } from "viem";

import type { EvmCall } from "../devchain/devChain.ts";
import type { ChainToken } from "../devchain/chainToken.ts";
import { findToken } from "../devchain/tokens.ts";

export interface ApprovalParameters {
  readonly token: Address;
  readonly spender: Address;
  /** Smallest unit. */
  readonly amount: bigint;
  readonly mayHaveAllowance: boolean;
}

/**
 * Returns the calls that set an allowance. Tether reverts when an allowance changes from one non-zero value to another.
 */
export function approvalCalls(
  tokens: readonly ChainToken[],
  { token, spender, amount, mayHaveAllowance }: ApprovalParameters,
): EvmCall[] {
  const approval = approveCall(token, spender, amount);
  const needsReset = mayHaveAllowance && findToken(tokens, token)?.needsReset === true;
  return needsReset ? [approveCall(token, spender, 0n), approval] : [approval];
}

export function approveCall(token: Address, spender: Address, amount: bigint): EvmCall {
  return {
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, amount] }),
    value: 0n,
  };
}
