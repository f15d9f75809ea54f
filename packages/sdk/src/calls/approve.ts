import { type Address, encodeFunctionData, erc20Abi, maxUint256 } from "viem";

import { rejectMisspelledOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { parseEvmAddress } from "@crosscall/protocol/chains";
import { requireAmount } from "@crosscall/protocol/encoding";
import type { Call } from "@crosscall/protocol/common";

export interface ApproveParameters {
  readonly token: Address;
  /** Spender of the router's tokens. Must not be a contract that makes arbitrary calls for its caller. */
  readonly spender: Address;
  /**
   * Amount in the smallest unit. Defaults to the maximum, for proxies that use the live balance (spec 2, call rule 3).
   */
  readonly amount?: bigint;
}

/**
 * Builds the call that approves a spender for the router's tokens. Place it before the call that spends them (spec 2,
 * call rule 2).
 *
 * @throws {@link InvalidInputError} when an address or the amount is invalid
 */
export function approve(parameters: ApproveParameters): Call {
  rejectMisspelledOptions(parameters, ["token", "spender", "amount"]);
  const { token, spender, amount = maxUint256 } = parameters;
  return {
    to: parseEvmAddress(token, "token"),
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: "approve",
      args: [parseEvmAddress(spender, "spender"), requireAmount(amount, "amount")],
    }),
    value: "0",
  };
}

export interface ResetAllowanceParameters {
  readonly token: Address;
  readonly spender: Address;
}

/**
 * Builds the call that resets a spender's allowance to zero. Place it before an approval of a token that only changes
 * allowances from or to zero (spec 2, call rule 2), and after the last use of an unlimited approval.
 */
export function resetAllowance(parameters: ResetAllowanceParameters): Call {
  rejectMisspelledOptions(parameters, ["token", "spender"]);
  const { token, spender } = parameters;
  return approve({ token, spender, amount: 0n });
}
