import { formatUnits } from "viem/utils";

import { InvalidInputError } from "../core/errors.ts";

/** Basis points in a whole: 10,000 bps are 100%. */
export const BPS_PER_WHOLE = 10_000n;

const UINT256_MAX = 2n ** 256n - 1n;

/**
 * Parses an amount as the service sends it: a decimal string in the smallest unit, 0 to 2^256 - 1, without sign or
 * leading zeros.
 * @param text the value
 * @param field path of the value, for the error
 * @returns the amount in the smallest unit
 */
export function parseAmount(text: unknown, field: string): bigint {
  if (typeof text === "string" && /^(0|[1-9]\d{0,77})$/u.test(text)) {
    const amount = BigInt(text);
    if (amount <= UINT256_MAX) return amount;
  }
  throw new InvalidInputError({
    field,
    value: text,
    reason: "an amount must be a decimal string in the smallest unit, from 0 to 2^256 - 1",
    hint: `Pass ${field} in the smallest unit, for example "1000000" for 1 USDC.`,
  });
}

/**
 * Checks an amount that a caller passes as a bigint.
 *
 * @returns the amount
 */
export function requireAmount(amount: bigint, field: string): bigint {
  if (amount >= 0n && amount <= UINT256_MAX) return amount;
  throw new InvalidInputError({
    field,
    value: amount,
    reason: "an amount must be between 0 and 2^256 - 1",
    hint: `Pass ${field} in the smallest unit.`,
  });
}

/**
 * Formats an amount for display: exact whole units without trailing zeros.
 *
 * @param amount amount in the smallest unit
 * @param decimals decimals of the currency
 */
export function formatAmount(amount: bigint, decimals: number): string {
  return formatUnits(amount, decimals);
}

/** Returns `amount * numerator / denominator`, rounded down. */
export function mulDiv(amount: bigint, numerator: bigint, denominator: bigint): bigint {
  return (amount * numerator) / denominator;
}

/** Returns `amount * numerator / denominator`, rounded up; for amounts of zero or more. */
export function mulDivUp(amount: bigint, numerator: bigint, denominator: bigint): bigint {
  return (amount * numerator + denominator - 1n) / denominator;
}

/** Returns a share of an amount, rounded down. The share is in basis points. */
export function bpsOf(amount: bigint, bps: bigint): bigint {
  return mulDiv(amount, bps, BPS_PER_WHOLE);
}
