import { base58 } from "@scure/base";
import { type Hex, hexToBytes, parseEther, sha256, stringToBytes } from "viem";

import {
  BITCOIN_CHAIN_ID,
  EXCHANGE_CHAIN_ID,
  HYPERLIQUID_CHAIN_ID,
  SVM_CHAIN_ID,
  TRON_CHAIN_ID,
} from "@crosscall/protocol/chains/chainIds";
import { EXCHANGE_ACTIVATION_USD_E18 } from "@crosscall/protocol/quote/rules";
import { BITCOIN_CODEC, HYPERLIQUID_CODEC, HYPERLIQUID_DOLLAR } from "@crosscall/protocol/vms";
import type { PricedCurrency } from "./currencies.ts";

/**
 * A chain that is quoted but not run. Its fills are simulated. A ledger or an admin endpoint reports its deposits.
 */
export interface SimulatedChain {
  readonly id: number;
  readonly name: string;
  readonly protocolChainId: string;
  readonly vmType: "bvm" | "hypevm" | "lvm" | "svm" | "tvm";
  /** Depository: a program on the SVM chain, an account on the others. */
  readonly depository: string;
  readonly solver: string;
  /** Native currency first. */
  readonly currencies: readonly PricedCurrency[];
  /** Addresses of the currencies that can be deposited without a swap. */
  readonly holdings: readonly string[];
  /** Cost of a fill in the native currency's smallest unit. */
  readonly fillCost: bigint;
  /** Fee that the first fill to an account passes through to the chain, in US dollars, scaled by 10^18. */
  readonly activationUsdE18: bigint;
}

/** Derives an address without a known key from a hash. */
export function svmAddress(what: string): string {
  return base58.encode(sha256(stringToBytes(`crosscall ${what}`), "bytes"));
}

/** Formats 64 bytes as a signature in base58. */
export function svmSignature(bytes: Hex): string {
  return base58.encode(hexToBytes(bytes));
}

export const SVM_WRAPPED_NATIVE = "So11111111111111111111111111111111111111112";

/** Tokens that the solver does not hold, so deposits swap them. */
export const SVM_TETHER = "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB";
export const SVM_MINOR_TOKEN = svmAddress("minor token");

/** Program that swaps. */
export const SVM_EXCHANGE = svmAddress("swap program");

/** Swap source of the pools on the local network's Solana, in addition to the aggregator. */
export const SVM_POOLS = "local-pools";

type Row = readonly [address: string, symbol: string, name: string, decimals: number, priceUsd: bigint | string];

function currenciesOf(chainId: number, rows: readonly Row[]): PricedCurrency[] {
  return rows.map(([address, symbol, name, decimals, priceUsd], index) => ({
    currency: {
      chainId,
      address,
      symbol,
      name,
      decimals,
      metadata: { logoURI: "", verified: true, isNative: index === 0 },
    },
    priceUsdE18: parseEther(`${priceUsd}`),
  }));
}

const SVM_NATIVE = "11111111111111111111111111111111";
const SVM_DOLLAR = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

const SVM_CHAIN: SimulatedChain = {
  id: SVM_CHAIN_ID,
  name: "SVM chain",
  protocolChainId: "solana",
  vmType: "svm",
  depository: "99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2",
  // The ledger has its key.
  solver: "3RwGxXWHVgBnxiknic4qxHDwDnyGYNPiyDrCcsQN75GV",
  currencies: currenciesOf(SVM_CHAIN_ID, [
    [SVM_NATIVE, "SOL", "Solana", 9, 150n],
    [SVM_WRAPPED_NATIVE, "WSOL", "Wrapped SOL", 9, 150n],
    [SVM_DOLLAR, "USDC", "USD Coin", 6, 1n],
    [SVM_TETHER, "USDT", "Tether USD", 6, 1n],
    [SVM_MINOR_TOKEN, "TKN", "Local Token", 6, 5n],
  ]),
  holdings: [SVM_NATIVE, SVM_DOLLAR],
  // Two signatures.
  fillCost: 10_000n,
  activationUsdE18: 0n,
};

export const EXCHANGE_CHAIN: SimulatedChain = {
  id: EXCHANGE_CHAIN_ID,
  name: "Exchange chain",
  protocolChainId: "lighter",
  vmType: "lvm",
  depository: "1",
  solver: "1",
  // The same dollar token in two wallets: perpetual margin and spot.
  currencies: currenciesOf(EXCHANGE_CHAIN_ID, [
    ["0", "USDC", "USD Coin (perpetuals)", 6, 1n],
    ["3", "USDC", "USD Coin (spot)", 6, 1n],
  ]),
  holdings: ["0", "3"],
  fillCost: 0n,
  activationUsdE18: EXCHANGE_ACTIVATION_USD_E18,
};

const TRON_NATIVE = "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb";
const TRON_TETHER = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";

const TRON_CHAIN: SimulatedChain = {
  id: TRON_CHAIN_ID,
  name: "Tron",
  protocolChainId: "tron",
  vmType: "tvm",
  depository: "TXtEs6t2oUWQsNos7m68gbHdE9Q5n6x2oN",
  solver: "TYVWGh8XkmU49Hi9PkGAZXiiJPB3J5zJZy",
  currencies: currenciesOf(TRON_CHAIN_ID, [
    [TRON_NATIVE, "TRX", "Tron", 6, "0.3"],
    [TRON_TETHER, "USDT", "Tether USD", 6, 1n],
  ]),
  holdings: [TRON_NATIVE, TRON_TETHER],
  // Cost of a transfer's bandwidth, with staked energy.
  fillCost: 1_000_000n,
  activationUsdE18: 0n,
};

export const HYPERLIQUID_CHAIN: SimulatedChain = {
  id: HYPERLIQUID_CHAIN_ID,
  name: "Hyperliquid",
  protocolChainId: "hyperliquid",
  vmType: "hypevm",
  depository: "0x66cf0aace1b4e562593bec10ec7868fba9932224",
  solver: "0xf70da97812cb96acdf810712aa562db8dfa3dbef",
  currencies: currenciesOf(HYPERLIQUID_CHAIN_ID, [
    [HYPERLIQUID_CODEC.nativeCurrency, "USDC", "USD Coin (perpetuals)", 8, 1n],
    [HYPERLIQUID_DOLLAR, "USDC", "USD Coin (spot)", 8, 1n],
  ]),
  holdings: [HYPERLIQUID_CODEC.nativeCurrency, HYPERLIQUID_DOLLAR],
  fillCost: 0n,
  activationUsdE18: 0n,
};

export const BITCOIN_CHAIN: SimulatedChain = {
  id: BITCOIN_CHAIN_ID,
  name: "Bitcoin",
  protocolChainId: "bitcoin",
  vmType: "bvm",
  depository: "bc1qzmtn0q92ayejt2hpffvlktcpmyy7vvsd06sefu",
  solver: "bc1qq2mvrp4g3ugd424dw4xv53rgsf8szkrv853jrc",
  currencies: currenciesOf(BITCOIN_CHAIN_ID, [[BITCOIN_CODEC.nativeCurrency, "BTC", "Bitcoin", 8, 60_000n]]),
  holdings: [BITCOIN_CODEC.nativeCurrency],
  // Cost of about 300 virtual bytes at 2 satoshis each.
  fillCost: 600n,
  activationUsdE18: 0n,
};

export const SIMULATED_CHAINS: readonly SimulatedChain[] = [
  SVM_CHAIN,
  EXCHANGE_CHAIN,
  HYPERLIQUID_CHAIN,
  BITCOIN_CHAIN,
  TRON_CHAIN,
];

export function findSimulatedChain(chainId: number): SimulatedChain | undefined {
  return SIMULATED_CHAINS.find(({ id }) => id === chainId);
}
