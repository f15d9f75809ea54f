import {
  type Address,
  decodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  hexToString,
  size,
  slice,
} from "viem";
import { isEvmNative } from "@crosscall/protocol/chains";

import { printable } from "@crosscall/protocol/core";
import type { CurrencyFacts } from "../replayReport.ts";
import { nativeCurrencyOf } from "./nativeCurrency.ts";

/** Maximum length of a symbol. Longer text is not a symbol. */
const SYMBOL_MAX = 32;

/** A chain or a fork of it. */
export interface CurrencyReader {
  readonly chainId: number;
  /** Returns the result of a call, or undefined if it reverts. */
  readonly call: (call: { readonly to: Address; readonly data: Hex }) => Promise<Hex | undefined>;
}

/** Reads symbols and decimals. Omits currencies for which it finds neither. */
export async function readCurrencies(reader: CurrencyReader, currencies: readonly Address[]): Promise<CurrencyFacts[]> {
  const different = [...new Set(currencies.map((currency) => getAddress(currency)))];
  const facts = await Promise.all(different.map((currency) => readCurrency(reader, currency)));
  return facts.filter((each) => each !== undefined);
}

async function readCurrency({ chainId, call }: CurrencyReader, address: Address): Promise<CurrencyFacts | undefined> {
  if (isEvmNative(address)) return nativeCurrencyOf(chainId);
  const [symbol, decimals] = await Promise.all(
    (["symbol", "decimals"] as const).map((functionName) =>
      call({ to: address, data: encodeFunctionData({ abi: erc20Abi, functionName }) }),
    ),
  );
  const facts = { symbol: readSymbol(symbol), decimals: readDecimals(decimals) };
  if (facts.symbol === undefined && facts.decimals === undefined) return undefined;
  return { address, symbol: facts.symbol ?? "", decimals: facts.decimals ?? 0 };
}

function readSymbol(result: Hex | undefined): string | undefined {
  if (result === undefined || size(result) < 32) return undefined;
  // The oldest tokens return zero-padded bytes32.
  const text = size(result) === 32 ? hexToString(result, { size: 32 }) : readText(result);
  const symbol = text === undefined ? "" : printable(text).slice(0, SYMBOL_MAX);
  return symbol === "" ? undefined : symbol;
}

function readText(result: Hex): string | undefined {
  try {
    return decodeAbiParameters([{ type: "string" }], result)[0];
  } catch {
    return undefined;
  }
}

function readDecimals(result: Hex | undefined): number | undefined {
  if (result === undefined || size(result) < 32) return undefined;
  const decimals = BigInt(slice(result, 0, 32));
  return decimals <= 77n ? Number(decimals) : undefined;
}
