import { formatAmount } from "@crosscall/protocol/encoding";
import type { SvmCurrency } from "./svmReport.ts";

/** A token account, with its balances before and after the transaction. */
export interface HeldToken {
  readonly mint: string;
  readonly owner: string | undefined;
  readonly decimals: number;
  readonly before: bigint;
  readonly after: bigint;
}

/** Formats an amount in whole units, or in the smallest unit of an unknown currency. */
export function currencyText(amount: bigint, address: string, currencies: readonly SvmCurrency[]): string {
  const found = currencies.find((each) => each.address === address);
  return found === undefined
    ? `${amount} of the smallest unit of ${address}`
    : `${formatAmount(amount, found.decimals)} ${found.symbol}`;
}
