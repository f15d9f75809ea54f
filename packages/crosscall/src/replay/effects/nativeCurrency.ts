import { EVM_NATIVE_CURRENCY, VM_TYPE_BY_CHAIN_ID } from "@crosscall/protocol/chains";
import type { CurrencyFacts } from "../replayReport.ts";

/** Native currencies other than Ether of chains that the service uses. Source: `viem/chains`, which a test compares. */
const SYMBOLS: Readonly<Record<number, string>> = {
  25: "CRO",
  56: "BNB",
  100: "XDAI",
  137: "POL",
  143: "MON",
  146: "S",
  232: "GHO",
  252: "FRAX",
  747: "FLOW",
  988: "USDT0",
  999: "HYPE",
  1_088: "METIS",
  1_329: "SEI",
  1_514: "DATA",
  1_625: "G",
  1_996: "DMT",
  2_020: "RON",
  2_911: "TOPIA",
  5_000: "MNT",
  5_031: "SOMI",
  5_042: "USDC",
  9_745: "XPL",
  16_661: "0G",
  33_139: "APE",
  42_220: "CELO",
  43_114: "AVAX",
  43_419: "GUN",
  80_094: "BERA",
  98_866: "PLUME",
  660_279: "XAI",
  984_122: "TIA",
  21_000_000: "BTCN",
  666_666_666: "DEGEN",
};

/** EVM chains that the source does not list, or whose currency does not have 18 decimals. */
const UNLISTED: readonly number[] = [
  466, 1_424, 2_187, 4_217, 7_869, 17_071, 42_018, 42_431, 69_000, 70_700, 70_701, 97_477, 510_003, 5_064_014,
  84_530_008, 845_300_014, 1_380_012_617,
];

/** Returns the native currency of an EVM chain, or undefined if it is not known. */
export function nativeCurrencyOf(chainId: number): CurrencyFacts | undefined {
  if (VM_TYPE_BY_CHAIN_ID.get(chainId) !== "evm" || UNLISTED.includes(chainId)) return undefined;
  return { address: EVM_NATIVE_CURRENCY, symbol: SYMBOLS[chainId] ?? "ETH", decimals: 18 };
}
