import { EVM_NATIVE_CURRENCY, isSameAddress } from "../chains/address.ts";
import { InvalidStateError } from "../core/errors.ts";
import type { Currency } from "../protocol/currency.ts";

/** A currency that the local service trades, with its price. */
export interface PricedCurrency {
  readonly currency: Currency;
  /** US dollars for one whole unit, times 10^18. */
  readonly priceUsdE18: bigint;
}

/** Where 18 decimals of a US dollar end. */
export const USD_ONE = 10n ** 18n;

/** The local prices, in US dollars times 10^18. */
const ETHER_PRICE = 2_500n * USD_ONE;
const DOLLAR_PRICE = USD_ONE;

/** All currencies of a local network, found by chain and address. */
export class CurrencyTable {
  readonly #currencies: readonly PricedCurrency[];

  constructor(currencies: readonly PricedCurrency[]) {
    this.#currencies = currencies;
  }

  /** The currency at this address of this chain, or undefined. */
  find(chainId: number, address: string): PricedCurrency | undefined {
    return this.#currencies.find(
      ({ currency }) => currency.chainId === chainId && isSameAddress(currency.address, address),
    );
  }

  /**
   * The currency that must be in the table, because a quote was made with it.
   *
   * @throws {@link InvalidStateError} when it is not
   */
  require(chainId: number, address: string): PricedCurrency {
    const currency = this.find(chainId, address);
    if (currency !== undefined) return currency;
    throw new InvalidStateError({
      message: `currency ${address} of chain ${chainId} is not in the price table`,
      cure: "Start the network with the chains that its database was made with.",
    });
  }

  /** The native currency of a chain of the table. */
  nativeOf(chainId: number): PricedCurrency {
    return this.require(chainId, EVM_NATIVE_CURRENCY);
  }

  /** The currencies of a chain. */
  ofChain(chainId: number): readonly PricedCurrency[] {
    return this.#currencies.filter(({ currency }) => currency.chainId === chainId);
  }
}

/** The currencies that every local chain has: its native one and the dollar token. */
export function localCurrencies(chainId: number, dollar: string): PricedCurrency[] {
  return [
    {
      currency: {
        chainId,
        address: EVM_NATIVE_CURRENCY,
        symbol: "ETH",
        name: "Ether",
        decimals: 18,
        metadata: { logoURI: "", verified: true, isNative: true },
      },
      priceUsdE18: ETHER_PRICE,
    },
    {
      currency: {
        chainId,
        address: dollar,
        symbol: "USDC",
        name: "Local Dollar",
        decimals: 6,
        metadata: { logoURI: "", verified: true, isNative: false },
      },
      priceUsdE18: DOLLAR_PRICE,
    },
  ];
}

/** The worth of an amount in US dollars times 10^18, rounded down. */
export function usdValue(amount: bigint, { currency, priceUsdE18 }: PricedCurrency): bigint {
  return (amount * priceUsdE18) / 10n ** BigInt(currency.decimals);
}

/** The amount that is worth so many US dollars times 10^18, rounded down. */
export function amountWorth(usdE18: bigint, { currency, priceUsdE18 }: PricedCurrency): bigint {
  return (usdE18 * 10n ** BigInt(currency.decimals)) / priceUsdE18;
}

/** The smallest amount that is worth at least so many US dollars times 10^18. */
export function amountWorthAtLeast(usdE18: bigint, { currency, priceUsdE18 }: PricedCurrency): bigint {
  return (usdE18 * 10n ** BigInt(currency.decimals) + priceUsdE18 - 1n) / priceUsdE18;
}

/** US dollars times 10^18 as the service writes them: a decimal string with six digits after the point. */
export function formatUsd(usdE18: bigint): string {
  const micros = usdE18 / 10n ** 12n;
  const sign = micros < 0n ? "-" : "";
  const size = micros < 0n ? -micros : micros;
  return `${sign}${size / 1_000_000n}.${(size % 1_000_000n).toString().padStart(6, "0")}`;
}
