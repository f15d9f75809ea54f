// Separate from the schema, which loads first, because formatting needs viem.
import { formatAmount } from "../encoding/amounts.ts";
import { isPresent } from "../schema/readResponse.ts";
import type { Currency } from "./currency.ts";

/**
 * Formats an amount in whole units with its symbol (`1.5 USDC`), or in the smallest unit if the decimals are missing.
 *
 * @param amount in the smallest unit
 */
export function formatCurrencyAmount(amount: bigint, { symbol, decimals, address }: Currency): string {
  const name = symbol ?? address ?? "of an unknown currency";
  return isPresent(decimals) ? `${formatAmount(amount, decimals)} ${name}` : `${amount} units ${name}`;
}
