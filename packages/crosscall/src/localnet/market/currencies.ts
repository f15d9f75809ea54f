import { type Address, isAddress } from "viem";

import { EVM_NATIVE_CURRENCY, isSameAddress } from "@crosscall/protocol/chains";
import { InvalidStateError } from "@crosscall/protocol/core";
import type { Currency } from "@crosscall/protocol/complete";
import type { ChainContracts } from "../devchain/contracts.ts";
import type { ChainToken } from "../devchain/chainToken.ts";
import { toCurrency } from "../devchain/tokens.ts";
import type { RequestRow } from "../store/requests/requests.ts";

export interface PricedCurrency {
  readonly currency: Currency;
  /** Price in US dollars per whole unit, scaled by 10^18. */
  readonly priceUsdE18: bigint;
  /** Transfer fee of the token, in bps. */
  readonly transferFeeBps?: bigint;
}

/** Smallest amount that the service writes, in US dollars, scaled by 10^18: the sixth digit after the point. */
export const USD_MICRO = 10n ** 12n;

export class CurrencyTable {
  readonly #currencies: readonly PricedCurrency[];

  /** Creates the table. EVM addresses of currencies are in lower case, as on the live service. */
  constructor(currencies: readonly PricedCurrency[]) {
    this.#currencies = currencies.map((priced) => ({ ...priced, currency: inLowerCase(priced.currency) }));
  }

  find(chainId: number, address: string): PricedCurrency | undefined {
    return this.#currencies.find(
      ({ currency }) => currency.chainId === chainId && isSameAddress(currency.address, address),
    );
  }

  /**
   * Finds the currency of a stored quote.
   *
   * @throws {@link InvalidStateError} if the currency is not in the table
   */
  require(chainId: number, address: string): PricedCurrency {
    const currency = this.find(chainId, address);
    if (currency !== undefined) return currency;
    throw new InvalidStateError({
      message: `currency ${address} of chain ${chainId} is not in the price table`,
      hint: "Start the network with the chains of its database.",
    });
  }

  nativeOf(chainId: number): PricedCurrency {
    const native = this.#currencies.find(({ currency }) => currency.chainId === chainId && currency.metadata.isNative);
    return native ?? this.require(chainId, EVM_NATIVE_CURRENCY);
  }

  ofChain(chainId: number): readonly PricedCurrency[] {
    return this.#currencies.filter(({ currency }) => currency.chainId === chainId);
  }
}

/** Converts EVM addresses to lower case. Addresses of other chains are case-sensitive. */
function inLowerCase(currency: Currency): Currency {
  const { address } = currency;
  return isAddress(address, { strict: false }) ? { ...currency, address: address.toLowerCase() } : currency;
}

export function pricedCurrencies(chainId: number, tokens: readonly ChainToken[]): PricedCurrency[] {
  return tokens.map((token) => ({
    currency: toCurrency(chainId, token),
    priceUsdE18: token.priceUsdE18,
    ...(token.transferFeeBps === undefined ? {} : { transferFeeBps: token.transferFeeBps }),
  }));
}

/** Returns the id of a currency in the service's lists, which is the same on every chain. */
export function currencyIdOf({ symbol }: Pick<Currency, "symbol">): string {
  return symbol.toLowerCase();
}

/** Returns the value of an amount in US dollars, scaled by 10^18 and rounded down. */
export function usdValue(amount: bigint, { currency, priceUsdE18 }: PricedCurrency): bigint {
  return (amount * priceUsdE18) / 10n ** BigInt(currency.decimals);
}

/**
 * Converts US dollars to an amount of a currency, rounded down.
 *
 * @param usdE18 US dollars, scaled by 10^18
 */
export function amountWorth(usdE18: bigint, { currency, priceUsdE18 }: PricedCurrency): bigint {
  return (usdE18 * 10n ** BigInt(currency.decimals)) / priceUsdE18;
}

/**
 * Converts US dollars to an amount of a currency, rounded up.
 *
 * @param usdE18 US dollars, scaled by 10^18
 */
export function amountWorthAtLeast(usdE18: bigint, { currency, priceUsdE18 }: PricedCurrency): bigint {
  return (usdE18 * 10n ** BigInt(currency.decimals) + priceUsdE18 - 1n) / priceUsdE18;
}

/** Rounds US dollars, scaled by 10^18, towards zero to the six decimals that the service writes. */
export function roundUsd(usdE18: bigint): bigint {
  return (usdE18 / USD_MICRO) * USD_MICRO;
}

/** Formats US dollars, scaled by 10^18, as the service writes them: a decimal string with six decimals. */
export function formatUsd(usdE18: bigint): string {
  const micros = usdE18 / USD_MICRO;
  const sign = micros < 0n ? "-" : "";
  const size = micros < 0n ? -micros : micros;
  return `${sign}${size / 1_000_000n}.${(size % 1_000_000n).toString().padStart(6, "0")}`;
}

/** Returns the value of a fill with this payment, including the gas top-up, in US dollars, scaled by 10^18. */
export function fillValue(
  currencies: CurrencyTable,
  { destination_chain_id, fees }: Pick<RequestRow, "destination_chain_id" | "fees">,
  payment: { readonly currency: string; readonly amount: bigint },
): bigint {
  const worth = usdValue(payment.amount, currencies.require(destination_chain_id, payment.currency));
  return worth + BigInt(fees.gasTopup ?? 0);
}

/** Returns the currencies that the solver holds: native currency and the dollar token. It swaps for all others. */
export function inventoryOf({ dollar }: Pick<ChainContracts, "dollar">): readonly [Address, Address] {
  return [EVM_NATIVE_CURRENCY, dollar];
}

export function isInventory(contracts: Pick<ChainContracts, "dollar">, currency: string): boolean {
  return inventoryOf(contracts).some((held) => isSameAddress(held, currency));
}
