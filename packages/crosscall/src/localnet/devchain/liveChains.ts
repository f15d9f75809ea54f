import { type Address, getAddress } from "viem";

import { type ChainToken, toUsdE18 } from "./tokens.ts";

/** What a local chain copies from a live chain. */
export interface LiveChain {
  readonly id: number;
  /** As in `GET /chains`, such as `base`. */
  readonly name: string;
  /** The chain's name in orders. */
  readonly protocolChainId: string;
  readonly displayName: string;
  readonly explorerUrl: string;
  readonly explorerName: string;
  /** Time between blocks. */
  readonly blockTimeMs: number;
  /** A usual gas price. */
  readonly gasPriceGwei: number;
  readonly native: Pick<ChainToken, "symbol" | "name" | "priceUsdE18">;
  readonly dollar: Address;
  readonly tether: Address;
  readonly wrappedNative: Address;
  /** All of its tokens, except the native currency. */
  readonly tokens: readonly LiveToken[];
}

/** Contract whose code is placed at the token's address. */
export type TokenCode = "LiveDollar" | "LiveTether" | "LiveToken" | "WETH9";

export interface LiveToken extends ChainToken {
  readonly code: TokenCode;
}

type Facts = Pick<ChainToken, "symbol" | "name" | "decimals" | "priceUsdE18">;

const ETHER = { symbol: "ETH", name: "Ether", priceUsdE18: toUsdE18(2_500) };
const USDC = { symbol: "USDC", name: "USD Coin", decimals: 6, priceUsdE18: toUsdE18(1) };
const USDT = { symbol: "USDT", name: "Tether USD", decimals: 6, priceUsdE18: toUsdE18(1) };
const DAI = { symbol: "DAI", name: "Dai Stablecoin", decimals: 18, priceUsdE18: toUsdE18(1) };
const WBTC = { symbol: "WBTC", name: "Wrapped BTC", decimals: 8, priceUsdE18: toUsdE18(60_000) };
const WETH = { ...ETHER, symbol: "WETH", name: "Wrapped Ether", decimals: 18 };

const plain = (address: string, facts: Facts): LiveToken => ({
  ...facts,
  address: getAddress(address),
  code: "LiveToken",
});

const wrapped = (address: string, facts: Facts): LiveToken => ({
  ...facts,
  address: getAddress(address),
  code: "WETH9",
});

/** With EIP-3009 and EIP-2612. */
const circle = (address: string, facts: Facts): LiveToken => ({
  ...facts,
  address: getAddress(address),
  code: "LiveDollar",
  permit: { kind: "eip3009", version: "2" },
});

interface Row extends Omit<LiveChain, "dollar" | "protocolChainId" | "tether" | "tokens" | "wrappedNative"> {
  readonly protocolChainId?: string;
  /** The dollar, tether and wrapped native token come first. */
  readonly tokens: readonly [LiveToken, LiveToken, LiveToken, ...LiveToken[]];
}

// Sources: the token lists of the chains and of the issuers, and the explorers. Prices are round figures.
const ROWS: readonly Row[] = [
  {
    id: 1,
    name: "ethereum",
    displayName: "Ethereum",
    explorerUrl: "https://etherscan.io",
    explorerName: "Etherscan",
    blockTimeMs: 12_000,
    gasPriceGwei: 1,
    native: ETHER,
    tokens: [
      circle("0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", USDC),
      { ...plain("0xdac17f958d2ee523a2206206994597c13d831ec7", USDT), code: "LiveTether", needsReset: true },
      wrapped("0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", WETH),
      plain("0x6b175474e89094c44da98b954eedeac495271d0f", DAI),
      plain("0x2260fac5e5542a773aa44fbcfedf7c193bc2c599", WBTC),
    ],
  },
  {
    id: 10,
    name: "optimism",
    displayName: "Optimism",
    explorerUrl: "https://optimistic.etherscan.io",
    explorerName: "Optimism Etherscan",
    blockTimeMs: 2_000,
    gasPriceGwei: 0.001,
    native: ETHER,
    tokens: [
      circle("0x0b2c639c533813f4aa9d7837caf62653d097ff85", USDC),
      plain("0x94b008aa00579c1307b0ef2c499ad98a8ce58e58", USDT),
      wrapped("0x4200000000000000000000000000000000000006", WETH),
      plain("0x7f5c764cbc14f9669b88837ca1490cca17c31607", { ...USDC, symbol: "USDC.e" }),
      plain("0xda10009cbd5d07dd0cecc66161fc93d7c9000da1", DAI),
      plain("0x68f180fcce6836688e9084f035309e29bf0a2095", WBTC),
    ],
  },
  {
    id: 56,
    name: "bsc",
    protocolChainId: "bnb",
    displayName: "BNB Smart Chain",
    explorerUrl: "https://bscscan.com",
    explorerName: "BscScan",
    blockTimeMs: 750,
    gasPriceGwei: 0.1,
    native: { symbol: "BNB", name: "BNB", priceUsdE18: toUsdE18(600) },
    tokens: [
      plain("0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d", { ...USDC, decimals: 18 }),
      plain("0x55d398326f99059ff775485246999027b3197955", { ...USDT, decimals: 18 }),
      wrapped("0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c", {
        symbol: "WBNB",
        name: "Wrapped BNB",
        decimals: 18,
        priceUsdE18: toUsdE18(600),
      }),
      plain("0x2170ed0880ac9a755fd29b2688956bd959f933f8", { ...WETH, symbol: "ETH", name: "Ethereum Token" }),
      plain("0x7130d2a12b9bcbfae4f2634d864a1ee1ce3ead9c", {
        ...WBTC,
        symbol: "BTCB",
        name: "BTCB Token",
        decimals: 18,
      }),
    ],
  },
  {
    id: 137,
    name: "polygon",
    displayName: "Polygon",
    explorerUrl: "https://polygonscan.com",
    explorerName: "PolygonScan",
    blockTimeMs: 2_000,
    gasPriceGwei: 30,
    native: { symbol: "POL", name: "Polygon Ecosystem Token", priceUsdE18: toUsdE18(0.5) },
    tokens: [
      circle("0x3c499c542cef5e3811e1192ce70d8cc03d5c3359", USDC),
      plain("0xc2132d05d31c914a87c6611c10748aeb04b58e8f", { ...USDT, symbol: "USDT0", name: "USDT0" }),
      wrapped("0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270", {
        symbol: "WPOL",
        name: "Wrapped Polygon Ecosystem Token",
        decimals: 18,
        priceUsdE18: toUsdE18(0.5),
      }),
      plain("0x2791bca1f2de4661ed88a30c99a7a9449aa84174", { ...USDC, symbol: "USDC.e", name: "USD Coin (PoS)" }),
      plain("0x7ceb23fd6bc0add59e62ac25578270cff1b9f619", WETH),
      plain("0x8f3cf7ad23cd3cadbd9735aff958023239c6a063", DAI),
      plain("0x1bfd67037b42cf73acf2047067bd4f2c47d9bfd6", WBTC),
    ],
  },
  {
    id: 8_453,
    name: "base",
    displayName: "Base",
    explorerUrl: "https://basescan.org",
    explorerName: "BaseScan",
    blockTimeMs: 2_000,
    gasPriceGwei: 0.01,
    native: ETHER,
    tokens: [
      circle("0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", USDC),
      plain("0xfde4c96c8593536e31f229ea8f37b2ada2699bb2", USDT),
      wrapped("0x4200000000000000000000000000000000000006", WETH),
      circle("0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca", { ...USDC, symbol: "USDbC", name: "USD Base Coin" }),
      plain("0x50c5725949a6f0c72e6c4a641f24049a917db0cb", DAI),
      circle("0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf", {
        ...WBTC,
        symbol: "cbBTC",
        name: "Coinbase Wrapped BTC",
      }),
    ],
  },
  {
    id: 42_161,
    name: "arbitrum",
    displayName: "Arbitrum",
    explorerUrl: "https://arbiscan.io",
    explorerName: "Arbiscan",
    blockTimeMs: 250,
    gasPriceGwei: 0.01,
    native: ETHER,
    tokens: [
      circle("0xaf88d065e77c8cc2239327c5edb3a432268e5831", USDC),
      plain("0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9", { ...USDT, symbol: "USD₮0", name: "USD₮0" }),
      wrapped("0x82af49447d8a07e3bd95bd0d56f35241523fbab1", WETH),
      {
        ...plain("0xff970a61a04b1ca14834a43f5de4533ebddb5cc8", {
          ...USDC,
          symbol: "USDC.e",
          name: "USD Coin (Arb1)",
        }),
        permit: { kind: "eip2612", version: "1" },
      },
      plain("0xda10009cbd5d07dd0cecc66161fc93d7c9000da1", DAI),
      plain("0x2f2a2543b76a4166549f7aab2e75bef0aefc5b0f", WBTC),
    ],
  },
];

/** Chains that `like: "mainnet"` can start, in the order of their ids. */
export const LIVE_CHAINS: readonly LiveChain[] = ROWS.map((row) => {
  const [dollar, tether, wrappedNative] = row.tokens;
  return {
    protocolChainId: row.name,
    ...row,
    dollar: dollar.address,
    tether: tether.address,
    wrappedNative: wrappedNative.address,
  };
});

export function findLiveChain(idOrName: number | string): LiveChain | undefined {
  return LIVE_CHAINS.find(({ id, name }) => String(id) === String(idOrName) || name === idOrName);
}
