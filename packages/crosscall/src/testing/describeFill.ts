import type { Address } from "viem";

import { isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import { describeCondition } from "../replay/describeCondition.ts";
import type { Verdict } from "../replay/verdict.ts";
import type { Fill } from "./fill.ts";

export function describeCurrency(currency: Address): string {
  return isEvmNative(currency) ? "native" : currency;
}

export function describeVerdict(verdict: Verdict): string {
  if (verdict.outcome === "success") return "it works";
  const { failReason, txIndex, error, condition, hint } = verdict;
  const place = txIndex === undefined ? "outside of txs" : `at tx ${txIndex}`;
  const numbers = condition === undefined ? "" : ` (${describeCondition(condition)})`;
  return `it fails with ${failReason} ${place}: ${error}${numbers}. ${hint}`;
}

export function describeGains({ balances }: Fill, currency: Address): string {
  const gains = balances
    .filter((change) => isSameAddress(change.currency, currency) && change.after > change.before)
    .map(({ account, before, after }) => `${after - before} to ${account}`);
  return gains.length === 0 ? "no account received any" : `it brought ${gains.join(", ")}`;
}
