import { EVM_NATIVE_CURRENCY, isSameAddress } from "@crosscall/sdk/internal/chains/address";
import { chainFamilyOf } from "@crosscall/sdk/internal/chains/families/chainFamilyOf";
import { InvalidStateError } from "@crosscall/sdk/internal/core/errors";
import type { Currency } from "@crosscall/sdk/internal/protocol/complete";
import type { ChainContracts } from "./chains/contracts.ts";

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

/** The local prices, in US dollars times 10^18. */
const ETHER_PRICE = 2_500n * USD_ONE;
const DOLLAR_PRICE = USD_ONE;
const TOKEN_PRICE = 5n * USD_ONE;
const FEE_TOKEN_PRICE = USD_ONE;

/** What the local fee token keeps of every transfer, in bps. */
export const LOCAL_TRANSFER_FEE_BPS = 100n;

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
      hint: "Start the network with the chains that its database was made with.",
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

/** The currencies that every local chain has: its native one and the tokens that are deployed on it. */
export function localCurrencies(chainId: number, contracts: ChainContracts): PricedCurrency[] {
  const { dollar, tether, token, feeToken, wrappedNative } = contracts;
  const rows: readonly [address: string, symbol: string, name: string, decimals: number, priceUsdE18: bigint][] = [
    [EVM_NATIVE_CURRENCY, "ETH", "Ether", 18, ETHER_PRICE],
    [dollar, "USDC", "Local Dollar", 6, DOLLAR_PRICE],
    [tether, "USDT", "Local Tether", 6, DOLLAR_PRICE],
    [wrappedNative, "WETH", "Wrapped Ether", 18, ETHER_PRICE],
    [token, "TKN", "Local Token", 18, TOKEN_PRICE],
    [feeToken, "FEE", "Local Fee Token", 18, FEE_TOKEN_PRICE],
  ];
  return rows.map(([address, symbol, name, decimals, priceUsdE18]) => ({
    currency: {
      chainId,
      address,
      symbol,
      name,
      decimals,
      metadata: { logoURI: "", verified: true, isNative: address === EVM_NATIVE_CURRENCY },
    },
    priceUsdE18,
    ...(address === feeToken ? { transferFeeBps: LOCAL_TRANSFER_FEE_BPS } : {}),
  }));
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
