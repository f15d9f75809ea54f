import type { Address } from "viem";

import { type ChainToken, toUsdE18 } from "./chainToken.ts";

/** Facts of a live chain that a local chain copies. */
export interface LiveChain {
  readonly id: number;
  /** Name in `GET /chains`, such as `base`. */
  readonly name: string;
  /** The chain's name in orders. */
  readonly protocolChainId: string;
  readonly displayName: string;
  readonly explorerUrl: string;
  readonly explorerName: string;
  /** Time between blocks. */
  readonly blockTimeMs: number;
  /** Typical gas price in gwei. */
  readonly gasPriceGwei: number;
  /** Typical seconds until the node's `finalized` block includes a transaction. */
  readonly finalitySeconds: number;
  readonly native: Pick<ChainToken, "symbol" | "name" | "priceUsdE18">;
  readonly dollar: Address;
  readonly tether: Address;
  readonly wrappedNative: Address;
  /** All tokens of the chain, except the native currency. */
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

const plain = (address: Address, facts: Facts): LiveToken => ({
  ...facts,
  address,
  code: "LiveToken",
});

const wrapped = (address: Address, facts: Facts): LiveToken => ({
  ...facts,
  address,
  code: "WETH9",
});

/** Describes a token with EIP-3009 and EIP-2612. */
const circle = (address: Address, facts: Facts): LiveToken => ({
  ...facts,
  address,
  code: "LiveDollar",
  permit: { kind: "eip3009", version: "2" },
});

interface Row extends Omit<LiveChain, "dollar" | "protocolChainId" | "tether" | "tokens" | "wrappedNative"> {
  readonly protocolChainId?: string;
  /** Tokens: the dollar, tether and wrapped native currency come first. */
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
    finalitySeconds: 768,
    native: ETHER,
    tokens: [
      circle("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", USDC),
      { ...plain("0xdAC17F958D2ee523a2206206994597C13D831ec7", USDT), code: "LiveTether", needsReset: true },
      wrapped("0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", WETH),
      plain("0x6B175474E89094C44Da98b954EedeAC495271d0F", DAI),
      plain("0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599", WBTC),
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
    finalitySeconds: 900,
    native: ETHER,
    tokens: [
      circle("0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85", USDC),
      plain("0x94b008aA00579c1307B0EF2c499aD98a8ce58e58", USDT),
      wrapped("0x4200000000000000000000000000000000000006", WETH),
      plain("0x7F5c764cBc14f9669B88837ca1490cCa17c31607", { ...USDC, symbol: "USDC.e" }),
      plain("0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1", DAI),
      plain("0x68f180fcCe6836688e9084f035309E29Bf0A2095", WBTC),
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
    finalitySeconds: 2,
    native: { symbol: "BNB", name: "BNB", priceUsdE18: toUsdE18(600) },
    tokens: [
      plain("0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d", { ...USDC, decimals: 18 }),
      plain("0x55d398326f99059fF775485246999027B3197955", { ...USDT, decimals: 18 }),
      wrapped("0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c", {
        symbol: "WBNB",
        name: "Wrapped BNB",
        decimals: 18,
        priceUsdE18: toUsdE18(600),
      }),
      plain("0x2170Ed0880ac9A755fd29B2688956BD959F933F8", { ...WETH, symbol: "ETH", name: "Ethereum Token" }),
      plain("0x7130d2A12B9BCbFAe4f2634d864A1Ee1Ce3Ead9c", {
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
    finalitySeconds: 5,
    native: { symbol: "POL", name: "Polygon Ecosystem Token", priceUsdE18: toUsdE18(0.5) },
    tokens: [
      circle("0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359", USDC),
      plain("0xc2132D05D31c914a87C6611C10748AEb04B58e8F", { ...USDT, symbol: "USDT0", name: "USDT0" }),
      wrapped("0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270", {
        symbol: "WPOL",
        name: "Wrapped Polygon Ecosystem Token",
        decimals: 18,
        priceUsdE18: toUsdE18(0.5),
      }),
      plain("0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174", { ...USDC, symbol: "USDC.e", name: "USD Coin (PoS)" }),
      plain("0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619", WETH),
      plain("0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063", DAI),
      plain("0x1BFD67037B42Cf73acF2047067bd4F2C47D9BfD6", WBTC),
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
    finalitySeconds: 900,
    native: ETHER,
    tokens: [
      circle("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", USDC),
      plain("0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2", USDT),
      wrapped("0x4200000000000000000000000000000000000006", WETH),
      circle("0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA", { ...USDC, symbol: "USDbC", name: "USD Base Coin" }),
      plain("0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb", DAI),
      circle("0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf", {
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
    finalitySeconds: 900,
    native: ETHER,
    tokens: [
      circle("0xaf88d065e77c8cC2239327C5EDb3A432268e5831", USDC),
      plain("0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9", { ...USDT, symbol: "USD₮0", name: "USD₮0" }),
      wrapped("0x82aF49447D8a07e3bd95BD0d56f35241523fBab1", WETH),
      {
        ...plain("0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8", {
          ...USDC,
          symbol: "USDC.e",
          name: "USD Coin (Arb1)",
        }),
        permit: { kind: "eip2612", version: "1" },
      },
      plain("0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1", DAI),
      plain("0x2f2a2543B76A4166549F7aaB2e75Bef0aefC5B0f", WBTC),
    ],
  },
  {
    id: 43_114,
    name: "avalanche",
    displayName: "Avalanche",
    explorerUrl: "https://snowtrace.io",
    explorerName: "Snowtrace",
    blockTimeMs: 2_000,
    gasPriceGwei: 1,
    finalitySeconds: 1,
    native: { symbol: "AVAX", name: "Avalanche", priceUsdE18: toUsdE18(20) },
    tokens: [
      circle("0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E", USDC),
      plain("0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7", { ...USDT, symbol: "USDt", name: "TetherToken" }),
      wrapped("0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7", {
        symbol: "WAVAX",
        name: "Wrapped AVAX",
        decimals: 18,
        priceUsdE18: toUsdE18(20),
      }),
      plain("0x49D5c2BdFfac6CE2BFdB6640F4F80f226bc10bAB", { ...WETH, symbol: "WETH.e" }),
      plain("0xd586E7F844cEa2F87f50152665BCbc2C279D8d70", { ...DAI, symbol: "DAI.e" }),
    ],
  },
  {
    id: 100,
    name: "gnosis",
    displayName: "Gnosis",
    explorerUrl: "https://gnosisscan.io",
    explorerName: "GnosisScan",
    blockTimeMs: 5_000,
    gasPriceGwei: 1,
    finalitySeconds: 160,
    native: { symbol: "xDAI", name: "xDAI", priceUsdE18: toUsdE18(1) },
    tokens: [
      plain("0xDDAfbb505ad214D7b80b1f830fcCc89B60fb7A83", { ...USDC, name: "USD//C on xDai" }),
      plain("0x4ECaBa5870353805a9F068101A40E0f32ed605C6", { ...USDT, name: "Tether USD on xDai" }),
      wrapped("0xe91D153E0b41518A2Ce8Dd3D7944Fa863463a97d", {
        symbol: "WXDAI",
        name: "Wrapped XDAI",
        decimals: 18,
        priceUsdE18: toUsdE18(1),
      }),
      plain("0x2a22f9c3b484c3629090FeED35F17Ff8F88f76F0", { ...USDC, symbol: "USDC.e", name: "Bridged USDC (Gnosis)" }),
      plain("0x6A023CCd1ff6F2045C3309768eAd9E68F978f6e1", { ...WETH, name: "Wrapped Ether on xDai" }),
    ],
  },
  {
    id: 130,
    name: "unichain",
    displayName: "Unichain",
    explorerUrl: "https://uniscan.xyz",
    explorerName: "Uniscan",
    blockTimeMs: 1_000,
    gasPriceGwei: 0.001,
    finalitySeconds: 900,
    native: ETHER,
    tokens: [
      circle("0x078D782b760474a361dDA0AF3839290b0EF57AD6", USDC),
      plain("0x9151434b16b9763660705744891fA906F660EcC5", { ...USDT, symbol: "USD₮0", name: "USD₮0" }),
      wrapped("0x4200000000000000000000000000000000000006", WETH),
    ],
  },
  {
    id: 324,
    name: "zksync",
    displayName: "ZKsync",
    explorerUrl: "https://explorer.zksync.io",
    explorerName: "ZKsync Explorer",
    blockTimeMs: 1_000,
    gasPriceGwei: 0.05,
    finalitySeconds: 10_800,
    native: ETHER,
    tokens: [
      circle("0x1d17CBcF0D6D143135aE902365D2E5e2A16538D4", USDC),
      plain("0x493257fD37EDB34451f62EDf8D2a0C418852bA4C", USDT),
      wrapped("0x5AEa5775959fBC2557Cc8789bC1bf90A239D9a91", WETH),
      plain("0x3355df6D4c9C3035724Fd0e3914dE96A5a83aaf4", { ...USDC, symbol: "USDC.e", name: "Bridged USDC (zkSync)" }),
    ],
  },
  {
    id: 5_000,
    name: "mantle",
    displayName: "Mantle",
    explorerUrl: "https://mantlescan.xyz",
    explorerName: "Mantlescan",
    blockTimeMs: 2_000,
    gasPriceGwei: 0.02,
    finalitySeconds: 900,
    native: { symbol: "MNT", name: "Mantle", priceUsdE18: toUsdE18(1.2) },
    tokens: [
      plain("0x09Bc4E0D864854c6aFB6eB9A9cdF58aC190D0dF9", USDC),
      plain("0x201EBa5CC46D216Ce6DC03F6a759e8E766e956aE", USDT),
      wrapped("0x78c1b0C915c4FAA5FffA6CAbf0219DA63d7f4cb8", {
        symbol: "WMNT",
        name: "Wrapped Mantle",
        decimals: 18,
        priceUsdE18: toUsdE18(1.2),
      }),
      plain("0xdEAddEaDdeadDEadDEADDEAddEADDEAddead1111", WETH),
    ],
  },
  {
    id: 59_144,
    name: "linea",
    displayName: "Linea",
    explorerUrl: "https://lineascan.build",
    explorerName: "LineaScan",
    blockTimeMs: 2_000,
    gasPriceGwei: 0.05,
    finalitySeconds: 7_200,
    native: ETHER,
    tokens: [
      circle("0x176211869cA2b568f2A7D4EE941E073a821EE1ff", USDC),
      plain("0xA219439258ca9da29E9Cc4cE5596924745e12B93", USDT),
      wrapped("0xe5D7C2a44FfDDf6b295A15c148167daaAf5Cf34f", WETH),
      plain("0x4AF15ec2A0BD43Db75dd04E62FAA3B8EF36b00d5", DAI),
    ],
  },
  {
    id: 534_352,
    name: "scroll",
    displayName: "Scroll",
    explorerUrl: "https://scrollscan.com",
    explorerName: "Scrollscan",
    blockTimeMs: 3_000,
    gasPriceGwei: 0.05,
    finalitySeconds: 3_600,
    native: ETHER,
    tokens: [
      plain("0x06eFdBFf2a14a7c8E15944D1F4A48F9F95F663A4", USDC),
      plain("0xf55BEC9cafDbE8730f096Aa55dad6D22d44099Df", USDT),
      wrapped("0x5300000000000000000000000000000000000004", WETH),
      plain("0xcA77eB3fEFe3725Dc33bccB54eDEFc3D9f764f97", DAI),
      plain("0x3C1BCa5a656e69edCD0D4E36BEbb3FcDAcA60Cf1", WBTC),
    ],
  },
];

/** Chains that `like: "mainnet"` can start. The chains that start by default come first. */
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
