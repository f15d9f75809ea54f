import { EVM_NATIVE_CURRENCY, isSameAddress } from "@crosscall/sdk/internal/chains/address";
import { chainFamilyOf } from "@crosscall/sdk/internal/chains/families/chainFamilyOf";
import { InvalidStateError } from "@crosscall/sdk/internal/core/errors";
import type { Currency } from "@crosscall/sdk/internal/protocol/complete";
import type { ChainContracts } from "../devchain/contracts.ts";
import { chainCurrencies, type ChainSymbol, transferFeeOf } from "../devchain/currencies.ts";

/** A currency that the local service trades, with its price. */
export interface PricedCurrency {
  readonly currency: Currency;
  /** US dollars for one whole unit, times 10^18. */
  readonly priceUsdE18: bigint;
  /** What the token keeps of every transfer, in bps, where it does. */
  readonly transferFeeBps?: bigint;
}

/** Where 18 decimals of a US dollar end. */
export const USD_ONE = 10n ** 18n;

/** Prices of the local currencies by symbol, in US dollars times 10^18. */
const PRICES_USD_E18: Readonly<Record<ChainSymbol, bigint>> = {
  ETH: 2_500n * USD_ONE,
  USDC: USD_ONE,
  USDT: USD_ONE,
  WETH: 2_500n * USD_ONE,
  TKN: 5n * USD_ONE,
  FEE: USD_ONE,
};

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
      hint: "Start the network with the chains of its database.",
    });
  }

  /** The native currency of a chain of the table. */
  nativeOf(chainId: number): PricedCurrency {
    return this.require(chainId, chainFamilyOf(chainId).nativeCurrencies[0] ?? EVM_NATIVE_CURRENCY);
  }

  /** The currencies of a chain. */
  ofChain(chainId: number): readonly PricedCurrency[] {
    return this.#currencies.filter(({ currency }) => currency.chainId === chainId);
  }
}

/** The priced currencies of a local chain: its native one and the tokens that are deployed on it. */
export function localCurrencies(chainId: number, contracts: ChainContracts): PricedCurrency[] {
  return chainCurrencies(chainId, contracts).map((currency) => {
    const transferFeeBps = transferFeeOf(contracts, currency.address);
    const priced = { currency, priceUsdE18: PRICES_USD_E18[currency.symbol] };
    return transferFeeBps === 0n ? priced : { ...priced, transferFeeBps };
  });
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
