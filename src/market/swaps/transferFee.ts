import { BPS_PER_WHOLE, mulDiv } from "@crosscall/sdk/internal/core/amounts";

/** What arrives of an amount that is sent: the token rounds its fee down. */
export function afterTransferFee(sent: bigint, feeBps: bigint): bigint {
  return sent - mulDiv(sent, feeBps, BPS_PER_WHOLE);
}

/** The smallest amount to send of which this much arrives. */
export function beforeTransferFee(arrives: bigint, feeBps: bigint): bigint {
  // The fee is rounded down, and so what arrives up: n arrive where more than n - 1 would without rounding.
  return arrives === 0n ? 0n : mulDiv(arrives - 1n, BPS_PER_WHOLE, BPS_PER_WHOLE - feeBps) + 1n;
}
