import type { Address } from "viem";

import { EVM_NATIVE_CURRENCY, parseEvmAddress } from "@crosscall/protocol/chains";
import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { InvalidInputError } from "@crosscall/protocol/core";
import { type LiveAmount, placeholder, requireShare } from "./placeholder.ts";

export interface LiveOptions {
  /** Share in bps. Defaults to 10,000 (all). */
  readonly shareBps?: number;
  /** Account to approve during the step: its target, or another spender. Defaults to none. */
  readonly approve?: Address | "target";
}

/**
 * Creates a placeholder for the executor's balance of a token when the step runs, as an argument or as the value of the
 * call.
 *
 * Shares refer to the balance when the token was first drawn. The share that makes their sum 10,000 bps takes the whole
 * remainder, and counting restarts.
 * @param token address of the token; "native" or the zero address for native currency
 * @throws {@link InvalidInputError} when the token, the share or the spender is invalid, or `approve` is set for native
 * currency
 */
export function live(token: Address | "native", parameters: LiveOptions = {}): LiveAmount {
  rejectUnknownOptions(parameters, { shareBps: 1, approve: 1 });
  const { shareBps = 10_000, approve } = parameters;
  const amount = {
    [placeholder]: "live",
    token: token === "native" ? EVM_NATIVE_CURRENCY : parseEvmAddress(token, "token"),
    shareBps: requireShare(shareBps, "shareBps"),
  } as const;
  if (approve === undefined) return amount;
  if (amount.token === EVM_NATIVE_CURRENCY) {
    throw new InvalidInputError({
      field: "approve",
      value: approve,
      reason: "native has no allowances",
      hint: "Send native currency as the value of the step.",
    });
  }
  return { ...amount, approve: approve === "target" ? approve : parseEvmAddress(approve, "approve") };
}
