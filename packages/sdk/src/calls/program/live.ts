import type { Address } from "viem";

import { EVM_NATIVE_CURRENCY, parseEvmAddress } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import { type LiveAmount, placeholder, requireShare } from "./placeholder.ts";

export interface LiveOptions {
  /** 10,000 (all) by default. */
  readonly shareBps?: number;
  /** Approved during the step: its target, or another spender. None by default. */
  readonly approve?: Address | "target";
}

/**
 * Placeholder for the executor's balance of a token when the step runs, as an argument or as the value of the call.
 *
 * Shares refer to the balance when the token was first drawn. The share that brings their sum to 10,000 bps takes the
 * whole remainder, and counting restarts.
 *
 * @param token its address; "native" or the zero address for native
 * @throws {@link InvalidInputError} when the token, the share or the spender is invalid, or `approve` is set for native
 */
export function live(token: Address | "native", { shareBps = 10_000, approve }: LiveOptions = {}): LiveAmount {
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
      hint: "Send native as the value of the step.",
    });
  }
  return { ...amount, approve: approve === "target" ? approve : parseEvmAddress(approve, "approve") };
}
