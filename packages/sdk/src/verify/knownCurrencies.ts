import { chainFamilyOf, EVM_NATIVE_CURRENCY, isEvmNative } from "@crosscall/protocol/chains";

/** Display data of a currency. Undefined fields are unknown. */
export interface KnownCurrency {
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
}

type Entry = readonly [chainIds: readonly number[], address: string, symbol: string, decimals: number];

/** The most used currencies, from their issuers' lists of contracts. */
const ENTRIES: readonly Entry[] = [
  [[1, 10, 130, 8_453, 42_161, 57_073, 59_144, 81_457, 534_352, 7_777_777], EVM_NATIVE_CURRENCY, "ETH", 18],
  [[1], "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", "USDC", 6],
  [[10], "0x0b2c639c533813f4aa9d7837caf62653d097ff85", "USDC", 6],
  [[137], "0x3c499c542cef5e3811e1192ce70d8cc03d5c3359", "USDC", 6],
  [[8_453], "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", "USDC", 6],
  [[42_161], "0xaf88d065e77c8cc2239327c5edb3a432268e5831", "USDC", 6],
  [[43_114], "0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e", "USDC", 6],
  [[1], "0xdac17f958d2ee523a2206206994597c13d831ec7", "USDT", 6],
  [[1], "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", "WETH", 18],
  [[10, 8_453], "0x4200000000000000000000000000000000000006", "WETH", 18],
  [[42_161], "0x82af49447d8a07e3bd95bd0d56f35241523fbab1", "WETH", 18],
];

const KNOWN: ReadonlyMap<string, KnownCurrency> = new Map(
  ENTRIES.flatMap(([chainIds, address, symbol, decimals]) =>
    chainIds.map((chainId) => [`${chainId} ${address}`, { symbol, decimals }] as const),
  ),
);

export function knownCurrency(chainId: number, address: string): KnownCurrency {
  const known = KNOWN.get(`${chainId} ${isEvmNative(address) ? EVM_NATIVE_CURRENCY : address.toLowerCase()}`);
  return known ?? { symbol: undefined, decimals: chainFamilyOf(chainId).decimalsOf(address) };
}
