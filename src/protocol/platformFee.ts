/** Platform fee by transaction type, in basis points (spec 2, section 9.1). */
export const PLATFORM_FEE_BPS = {
  bridge: 0n,
  wrap: 0n,
  stablecoinSwap: 1n,
  majorSwap: 6n,
  minorSwap: 15n,
} as const;

/** A transaction type that a platform fee is charged by. */
export type PlatformFeeType = keyof typeof PLATFORM_FEE_BPS;

/** Major Stablecoins, by symbol as the service writes it (spec 2, section 9.1). */
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

/** Major Tokens, by symbol as the service writes it (spec 2, section 9.1). */
export const MAJOR_TOKENS: readonly string[] = ["ETH", "WETH", "BTC", "WBTC", "SOL", "WSOL", "POL", "BNB", "PLUME"];

/** What of a currency decides the platform fee. The symbol is trusted: give verified currencies only. */
export interface FeeCurrency {
  readonly chainId: number;
  readonly symbol: string;
  readonly isNative: boolean;
}

/** A transaction type and its fee. */
export interface PlatformFee {
  readonly type: PlatformFeeType;
  /** Basis points of the input. */
  readonly bps: bigint;
}

/** The platform fee of moving one currency into another (spec 2, section 9.1). */
export function platformFee(input: FeeCurrency, output: FeeCurrency): PlatformFee {
  const type = platformFeeType(input, output);
  return { type, bps: PLATFORM_FEE_BPS[type] };
}

function platformFeeType(input: FeeCurrency, output: FeeCurrency): PlatformFeeType {
  if (input.chainId === output.chainId && (isWrapOf(input, output) || isWrapOf(output, input))) return "wrap";
  if (input.symbol === output.symbol) return "bridge";
  const isStable = [input, output].map(({ symbol }) => MAJOR_STABLECOINS.includes(symbol));
  if (isStable.every(Boolean)) return "stablecoinSwap";
  const isMajor = [input, output].map(
    ({ symbol }) => MAJOR_STABLECOINS.includes(symbol) || MAJOR_TOKENS.includes(symbol),
  );
  return isMajor.every(Boolean) ? "majorSwap" : "minorSwap";
}

function isWrapOf(wrapped: FeeCurrency, native: FeeCurrency): boolean {
  return native.isNative && !wrapped.isNative && wrapped.symbol.toUpperCase() === `W${native.symbol}`.toUpperCase();
}
