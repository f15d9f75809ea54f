import type { Address } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import type { Amount } from "@crosscall/protocol/common";
import type { Quote } from "@crosscall/protocol/quote";
import { isPresent } from "@crosscall/protocol/schema";
import type { CurrencyFacts } from "../replayReport.ts";
import type { ReplayInput } from "../subject/findFill.ts";

/**
 * Returns the currencies of a chain from amounts that a quote or a record states, with their prices. Omits currencies
 * without a symbol or decimals.
 */
export function statedCurrencies(amounts: readonly (Amount | null | undefined)[], chainId: number): CurrencyFacts[] {
  const facts = amounts.flatMap((stated): CurrencyFacts[] => {
    const { address, symbol, decimals, chainId: ofChain } = stated?.currency ?? {};
    if (ofChain !== chainId || !isPresent(address) || !isPresent(symbol) || !isPresent(decimals)) return [];
    const priceUsd = priceOf(stated, decimals);
    return [{ address: address as Address, symbol, decimals, ...(priceUsd === undefined ? {} : { priceUsd }) }];
  });
  return facts.toSorted((one, other) => Number(other.priceUsd !== undefined) - Number(one.priceUsd !== undefined));
}

function priceOf(stated: Amount | null | undefined, decimals: number): number | undefined {
  if (!isPresent(stated?.amountUsd) || !isPresent(stated.amount)) return undefined;
  const price = Number(stated.amountUsd) / (Number(stated.amount) / 10 ** decimals);
  return Number.isFinite(price) && price > 0 ? price : undefined;
}

/** Returns the amounts of a quote. */
export function amountsOfQuote({ details, fees }: Quote): readonly (Amount | null | undefined)[] {
  const { currencyIn, currencyOut, refundCurrency } = details ?? {};
  return [currencyIn, currencyOut, refundCurrency, fees?.gas, fees?.relayer];
}

/** Adds the prices that a quote or a record states. */
export function withPrices(
  currencies: readonly CurrencyFacts[],
  stated: readonly CurrencyFacts[],
): readonly CurrencyFacts[] {
  return currencies.map((facts) => {
    const { priceUsd } = stated.find((one) => isSameCurrency(one, facts)) ?? {};
    return priceUsd === undefined ? facts : { ...facts, priceUsd };
  });
}

/**
 * Returns whether two entries describe the same currency. A price is per whole unit, so the decimals must be equal too.
 */
function isSameCurrency(one: CurrencyFacts, other: CurrencyFacts): boolean {
  return isSameAddress(one.address, other.address) && one.decimals === other.decimals;
}

/** Returns the amounts that the input of a replay states. Plans and transactions state none. */
export function amountsOfInput(input: ReplayInput): readonly (Amount | null | undefined)[] {
  switch (input.kind) {
    case "quote":
      return amountsOfQuote(input.quote);
    case "request": {
      const { actual, quoted } = input.record.data?.route ?? {};
      return [actual, quoted].flatMap((route) =>
        [route?.destination, route?.origin].flatMap((side) => [side?.inputCurrency, side?.outputCurrency]),
      );
    }
    case "transaction":
    case "plan":
      return [];
  }
}
