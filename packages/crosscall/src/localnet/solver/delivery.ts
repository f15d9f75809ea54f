import type { Address } from "viem";

import { BPS_PER_WHOLE, mulDiv } from "@crosscall/protocol/encoding";
import type { FailReason } from "@crosscall/protocol/request";
import type { EvmCall } from "../devchain/devChain.ts";

/** Amounts in the smallest unit. */
export interface Delivery {
  readonly payment: { readonly currency: Address; readonly amount: bigint };
  /** At the present state of the pools, if it is swapped. */
  readonly amount: bigint;
  /** Calls of the router before the order's; none if the solver holds the delivered currency. */
  readonly swapCalls: readonly EvmCall[];
}

export type DeliveryPlan =
  | { readonly works: true; readonly delivery: Delivery }
  | { readonly works: false; readonly failReason: FailReason };

export interface DeliveryTerms {
  /** Smallest unit of the origin currency. */
  readonly depositedInput: bigint;
  /** Deviation from the quote, in bps. */
  readonly deliveryBps: number;
  readonly deliversBelowMinimum: boolean;
  /** Delivered whatever the deposit and the quote; never for EXACT_OUTPUT. */
  readonly chosenOutput?: bigint | undefined;
}

/** Amounts in the smallest unit. */
export interface DeliveryInput {
  readonly tradeType: string;
  readonly quotedInput: bigint;
  readonly depositedInput: bigint;
  readonly expectedOutput: bigint;
  readonly minimumOutput: bigint;
  /** Deviation from the expected amount, in bps. */
  readonly deliveryBps: number;
  readonly deliversBelowMinimum?: boolean;
  readonly chosenOutput?: bigint | undefined;
}

/**
 * The expected amount with the configured deviation, at least the minimum. An exact output is delivered exactly. A
 * deposit above the quote is delivered in proportion.
 */
export function deliveredAmount(input: DeliveryInput): bigint {
  if (input.tradeType === "EXACT_OUTPUT") return input.expectedOutput;
  if (input.chosenOutput !== undefined) return input.chosenOutput;
  const moved = mulDiv(input.expectedOutput, BPS_PER_WHOLE + BigInt(input.deliveryBps), BPS_PER_WHOLE);
  const isTooLow = moved < input.minimumOutput && input.deliversBelowMinimum !== true;
  return mulDiv(isTooLow ? input.minimumOutput : moved, input.depositedInput, input.quotedInput);
}
