import type { Address } from "viem";

import { BPS_PER_WHOLE, mulDiv } from "@crosscall/sdk/internal/core/amounts";
import type { FailReason } from "@crosscall/sdk/internal/protocol/request/failReasons";
import type { EvmCall } from "../devchain/devChain.ts";

/** What the solver gives for a fill, and what the fill delivers; amounts in the smallest unit. */
export interface Delivery {
  /** Of the solver's holdings. */
  readonly payment: { readonly currency: Address; readonly amount: bigint };
  /** What arrives: as the pools stand now, where it is swapped for. */
  readonly amount: bigint;
  /** The calls that swap, made by the router before the order's; none where the solver holds what it delivers. */
  readonly swapCalls: readonly EvmCall[];
}

/** A delivery, or why there is none. */
export type DeliveryPlan =
  | { readonly works: true; readonly delivery: Delivery }
  | { readonly works: false; readonly failReason: FailReason };

/** What decides a delivery beside the request. */
export interface DeliveryTerms {
  /** Smallest unit of the origin currency. */
  readonly depositedInput: bigint;
  /** How far the delivery lies from the quote, in bps. */
  readonly deliveryBps: number;
  /** Whether it may go below the quoted minimum. */
  readonly deliversBelowMinimum: boolean;
}

/** What decides the amount of a fill; amounts in the smallest unit. */
export interface DeliveryInput {
  readonly tradeType: string;
  readonly quotedInput: bigint;
  readonly depositedInput: bigint;
  readonly expectedOutput: bigint;
  readonly minimumOutput: bigint;
  /** How far the delivered amount lies from the expected one, in bps. */
  readonly deliveryBps: number;
  /** Whether the deviation may take it below the minimum. */
  readonly deliversBelowMinimum?: boolean;
}

/**
 * The amount that a fill delivers: the expected one, moved by the configured deviation and never below the minimum.
 * An exact output is delivered exactly. What was deposited beyond the quote is delivered in proportion.
 */
export function deliveredAmount(input: DeliveryInput): bigint {
  if (input.tradeType === "EXACT_OUTPUT") return input.expectedOutput;
  const moved = mulDiv(input.expectedOutput, BPS_PER_WHOLE + BigInt(input.deliveryBps), BPS_PER_WHOLE);
  const isTooLow = moved < input.minimumOutput && input.deliversBelowMinimum !== true;
  return mulDiv(isTooLow ? input.minimumOutput : moved, input.depositedInput, input.quotedInput);
}
