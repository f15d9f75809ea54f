import { type Address, zeroAddress } from "viem";
import { formatAmount } from "@crosscall/protocol/encoding";

import type { ReplayReport } from "../replayReport.ts";
import { printable } from "@crosscall/protocol/core";

const ADDRESS_IN_TEXT = /(?<![0-9a-fA-F])0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/gu;
const MAXIMUM_NAME = 40;
const MAXIMUM_SYMBOL = 20;

export interface Notation {
  /** Returns the name of an account, or its address. Names are unique. */
  readonly nameOf: (account: Address) => string;
  readonly symbolOf: (currency: Address) => string;
  /** Returns whether the currency's symbol and decimals are known. */
  readonly isKnown: (currency: Address) => boolean;
  /**
   * Formats an amount with its value if the price is known, such as `990 USDC ($990.00)`; in the smallest unit for an
   * unknown currency.
   */
  readonly amountOf: (amount: bigint, currency: Address) => string;
  /** Converts an amount to whole units of the currency. */
  readonly numberOf: (amount: bigint, currency: Address) => string;
  /** Replaces addresses in a text with names. */
  readonly textOf: (text: string) => string;
  readonly accounts: readonly { readonly name: string; readonly address: Address }[];
}

/** Creates a notation. Makes names and symbols from chains printable. */
export function notationOf({ names, currencies }: Pick<ReplayReport, "names" | "currencies">): Notation {
  const known = new Map(
    currencies.map(({ address, symbol, decimals, priceUsd }) => [
      address.toLowerCase(),
      { symbol: shown(symbol, MAXIMUM_SYMBOL) || address, decimals, priceUsd },
    ]),
  );
  const accounts = toUniqueNames(Object.entries(names) as [Address, string][]);
  const nameByAddress = new Map(accounts.map(({ address, name }) => [address.toLowerCase(), name]));
  const factsOf = (currency: Address) => known.get(currency.toLowerCase());
  const nameOf = (account: Address): string =>
    nameByAddress.get(account.toLowerCase()) ?? (account === zeroAddress ? "zero address" : account);
  const symbolOf = (currency: Address): string =>
    factsOf(currency)?.symbol ?? (currency === zeroAddress ? "native" : nameOf(currency));
  const numberOf = (amount: bigint, currency: Address): string =>
    formatAmount(amount, factsOf(currency)?.decimals ?? 0);
  const valueOf = (amount: bigint, currency: Address): string => {
    const { priceUsd } = factsOf(currency) ?? {};
    return priceUsd === undefined ? "" : ` (${dollarText(Number(numberOf(amount, currency)) * priceUsd)})`;
  };
  return {
    nameOf,
    symbolOf,
    isKnown: (currency) => factsOf(currency) !== undefined,
    numberOf,
    amountOf: (amount, currency) =>
      factsOf(currency) === undefined
        ? `${amount} in the smallest unit of ${symbolOf(currency)}`
        : `${numberOf(amount, currency)} ${symbolOf(currency)}${valueOf(amount, currency)}`,
    textOf: (text) =>
      shown(text).replace(ADDRESS_IN_TEXT, (address) => nameByAddress.get(address.toLowerCase()) ?? address),
    accounts,
  };
}

function toUniqueNames(entries: readonly (readonly [Address, string])[]): { name: string; address: Address }[] {
  const named = entries.map(([address, name]) => ({ address, name: shown(name, MAXIMUM_NAME) || address }));
  return named.map(({ address, name }) => ({
    address,
    name: named.filter((other) => other.name === name).length === 1 ? name : `${name} ${address}`,
  }));
}

/** Formats US dollars for people: `$24.81`, `$1,200.00`, or `<$0.01`. */
export function dollarText(usd: number): string {
  if (!Number.isFinite(usd)) return "$?";
  if (usd > 0 && usd < 0.01) return "<$0.01";
  return usd.toLocaleString("en-US", { style: "currency", currency: "USD" });
}

/** Formats untrusted text on one line, cut to `maximum` characters. */
export function shown(text: string, maximum = 4_000): string {
  const characters = Array.from(printable(text));
  return characters.length <= maximum ? characters.join("") : `${characters.slice(0, maximum - 1).join("")}…`;
}
