import type { Address } from "viem";

import { EVM_NATIVE_CURRENCY, isSameAddress } from "../chains/address.ts";
import type { Verdict } from "../replay/verdict.ts";
import type { Fill } from "./fill.ts";
import type { Leftover } from "./leftovers.ts";

/** A currency as messages name it. */
export function describeCurrency(currency: Address): string {
  return isSameAddress(currency, EVM_NATIVE_CURRENCY) ? "native" : currency;
}

/** How a fill went, as the end of a sentence. */
export function describeVerdict(verdict: Verdict): string {
  if (verdict.outcome === "success") return "it works";
  const { failReason, txIndex, error } = verdict;
  return `it fails with ${failReason} at ${txIndex === undefined ? "no call of the order" : `tx ${txIndex}`}: ${error}`;
}

/** Who has more of a currency after a fill, as the end of a sentence. */
export function describeGains({ balances }: Fill, currency: Address): string {
  const gains = balances
    .filter((change) => isSameAddress(change.currency, currency) && change.after > change.before)
    .map(({ account, before, after }) => `${after - before} to ${account}`);
  return gains.length === 0 ? "nobody got any" : `it brought ${gains.join(", ")}`;
}

/** Something that a fill leaves. */
export function describeLeftover(leftover: Leftover): string {
  const { passage, amount } = leftover;
  const holder = passage.kind === "other" ? passage.account : `the ${passage.kind} ${passage.account}`;
  switch (leftover.kind) {
    case "balance":
      return `${amount} of ${describeCurrency(leftover.currency)} on ${holder}`;
    case "allowance":
      return `an allowance of ${amount} of ${leftover.token} from ${holder} to ${leftover.spender}`;
  }
}
