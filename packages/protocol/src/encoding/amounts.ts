import { formatUnits } from "viem/utils";

import { InvalidInputError } from "../core/errors.ts";

/** Basis points in a whole: 10,000 bps are 100 %. */
export const BPS_PER_WHOLE = 10_000n;

const UINT256_MAX = 2n ** 256n - 1n;

/**
 * Parses an amount as the service sends it: a decimal string of the smallest unit, 0 to 2^256 - 1, no sign, no leading
 * zeros.
 *
 * @param text the value
 * @param field its path, for the error
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
    reason: "an amount is a decimal string of the smallest unit, from 0 to 2^256 - 1",
    hint: `Pass ${field} in the smallest unit, for example "1000000" for 1 of a 6-decimal token.`,
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
    reason: "an amount lies between 0 and 2^256 - 1",
    hint: `Pass ${field} in the smallest unit.`,
  });
}

/**
 * Formats an amount for display: exact whole units without trailing zeros.
 *
 * @param amount smallest unit
 * @param decimals of the currency
 */
export function formatAmount(amount: bigint, decimals: number): string {
  return formatUnits(amount, decimals);
}

/** `amount * numerator / denominator`, rounded down. */
export function mulDiv(amount: bigint, numerator: bigint, denominator: bigint): bigint {
  return (amount * numerator) / denominator;
}

/** `amount * numerator / denominator`, rounded up; for amounts of zero or more. */
export function mulDivUp(amount: bigint, numerator: bigint, denominator: bigint): bigint {
  return (amount * numerator + denominator - 1n) / denominator;
}

/** A share of an amount in basis points, rounded down. */
export function bpsOf(amount: bigint, bps: bigint): bigint {
  return mulDiv(amount, bps, BPS_PER_WHOLE);
}
