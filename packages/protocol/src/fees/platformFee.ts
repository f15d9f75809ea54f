import { isSameAddressOf } from "../chains/families/chainFamilyOf.ts";
import { isNativeCurrency } from "../common/isNativeCurrency.ts";

/** Platform fees in basis points (spec 2, section 9.1). */
export const PLATFORM_FEE_BPS = {
  bridge: 0n,
  wrap: 0n,
  stablecoinSwap: 1n,
  majorSwap: 6n,
  minorSwap: 15n,
} as const;

export type PlatformFeeType = keyof typeof PLATFORM_FEE_BPS;

/** Symbols of major stablecoins (spec 2, section 9.1). */
export const MAJOR_STABLECOINS: readonly string[] = [
  "USDC",
  "USDC.e",
  "USDT",
  "USDT0",
  "DAI",
  "USDe",
  "USDS",
  "USD1",
  "PYUSD",
  "USDG",
  "mUSD",
  "USDm",
  "USDH",
  "pUSD",
  "PlumeUSD",
];

/** Symbols of major tokens (spec 2, section 9.1). */
export const MAJOR_TOKENS: readonly string[] = ["ETH", "WETH", "BTC", "WBTC", "SOL", "WSOL", "POL", "BNB", "PLUME"];

/** Fields that determine the transaction type; `Currency` has them. */
export interface FeeCurrency {
  readonly chainId: number;
  readonly address: string;
  readonly symbol: string;
  readonly metadata?:
    | {
        /** Whether the service verified the symbol. Anyone can name a token USDC. */
        readonly verified?: boolean | null | undefined;
        readonly isNative?: boolean | null | undefined;
      }
    | null
    | undefined;
}

export interface PlatformFee {
  readonly type: PlatformFeeType;
  /** Fee in basis points of the input. */
  readonly bps: bigint;
}

/** Returns the platform fee for converting one currency to another (spec 2, section 9.1). */
export function platformFee(currencyIn: FeeCurrency, currencyOut: FeeCurrency): PlatformFee {
  const type = transactionTypeOf(currencyIn, currencyOut);
  return { type, bps: PLATFORM_FEE_BPS[type] };
}

/**
 * Returns the transaction type that determines the platform fee (spec 2, section 9.1). An unverified currency counts as
 * a minor token, regardless of its symbol; native currencies are classified by chain.
 */
export function transactionTypeOf(currencyIn: FeeCurrency, currencyOut: FeeCurrency): PlatformFeeType {
  if (isSameCurrency(currencyIn, currencyOut)) return "bridge";
  if (!isTrusted(currencyIn) || !isTrusted(currencyOut)) return "minorSwap";
  if (isWrapOf(currencyIn, currencyOut) || isWrapOf(currencyOut, currencyIn)) return "wrap";
  // Two currencies on one chain with the same symbol are different currencies.
  if (currencyIn.chainId !== currencyOut.chainId && currencyIn.symbol === currencyOut.symbol) return "bridge";
  const pair = [currencyIn, currencyOut];
  if (pair.every(isStable)) return "stablecoinSwap";
  return pair.every((currency) => isStable(currency) || isMajor(currency)) ? "majorSwap" : "minorSwap";
}

function isSameCurrency(a: FeeCurrency, b: FeeCurrency): boolean {
  return a.chainId === b.chainId && isSameAddressOf(a.chainId, a.address, b.address);
}

function isTrusted(currency: FeeCurrency): boolean {
  return currency.metadata?.verified === true || isNative(currency);
}

function isNative(currency: FeeCurrency): boolean {
  return isNativeCurrency(currency) === true;
}

function isStable({ symbol }: FeeCurrency): boolean {
  return MAJOR_STABLECOINS.includes(symbol);
}

function isMajor({ symbol }: FeeCurrency): boolean {
  return MAJOR_TOKENS.includes(symbol);
}

function isWrapOf(wrapped: FeeCurrency, native: FeeCurrency): boolean {
  if (wrapped.chainId !== native.chainId || isNative(wrapped) || !isNative(native)) return false;
  return wrapped.symbol.toUpperCase() === `W${native.symbol}`.toUpperCase();
}
