import { BPS_PER_WHOLE, mulDiv } from "@crosscall/sdk/internal/core/amounts";

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
