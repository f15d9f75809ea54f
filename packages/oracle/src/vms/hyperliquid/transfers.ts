import { type Address, type Hex, parseUnits, size, slice, stringToHex, zeroAddress } from "viem";

import { MalformedDataError } from "@crosscall/protocol/core";
import { hubAlias, nonceMappingEntryId } from "@crosscall/protocol/attestation";
import { HYPERLIQUID_CODEC, HYPERLIQUID_DOLLAR } from "@crosscall/protocol/vms";
import { requireAttested } from "../../attestationRefusedError.ts";
import type { MappingReader } from "../vmChain.ts";
import type { ExchangeTransfer, HyperliquidReader } from "./hyperliquidReader.ts";

/** Decimals of the main market, regardless of the token list. */
const NATIVE_DECIMALS = 8;

/**
 * Returns the currency in the format of orders. Native currency is the dollar on the main market. Other currencies are
 * the token's id, with the name of a builder's market appended.
 *
 * @returns undefined for any other token on the main market
 */
export function currencyOf({ token, market }: Pick<ExchangeTransfer, "market" | "token">): string | undefined {
  // USDC is the only collateral of the main market.
  const isDollar = token === undefined || token === HYPERLIQUID_DOLLAR;
  if (market === "") return isDollar ? HYPERLIQUID_CODEC.nativeCurrency : undefined;
  return `${token}${market === "spot" ? "" : stringToHex(market).slice(2)}`;
}

/**
 * Returns the amount in the smallest unit.
 *
 * @throws {@link AttestationRefusedError} if the exchange does not list the token
 */
export async function amountOf(
  reader: Pick<HyperliquidReader, "decimalsOf">,
  { token, market, amount }: ExchangeTransfer,
): Promise<bigint> {
  const decimals = market === "" || token === undefined ? NATIVE_DECIMALS : await reader.decimalsOf(token);
  requireAttested(decimals !== undefined, "Could not retrieve payment currency decimals");
  // Truncates the amount, because amounts below the smallest unit do not arrive and parseUnits would round up.
  const [whole = "0", fraction = ""] = amount.split(".");
  return parseUnits(`${whole}.${fraction.slice(0, decimals)}`, decimals);
}

/** A mapping on the hub from a transfer to an id, because transfers on the exchange contain no id. */
export interface NonceMapping {
  readonly id: Hex;
  /** Depositor; undefined if it is the sender. */
  readonly depositor: Address | undefined;
  /** Unix seconds. */
  readonly createdAt: number;
}

/** @throws {@link MalformedDataError} if the entry is not a nonce mapping */
export async function readNonceMapping(
  hub: MappingReader,
  chainId: string,
  { sender, nonce }: { readonly sender: Hex; readonly nonce: number },
): Promise<NonceMapping | undefined> {
  const entry = await hub.mappingEntry(hubAlias(chainId, sender), nonceMappingEntryId(nonce.toString()));
  if (entry === undefined) return undefined;
  const { data, createdAt } = entry;
  // Version 1 of a mapping has no depositor.
  if (size(data) === 32) return { id: data, depositor: undefined, createdAt };
  if (size(data) !== 52) {
    const reason = "it is not an id, with or without a depositor";
    throw new MalformedDataError({ what: "an entry of the hub's generic mapping", path: "", reason });
  }
  const depositor = slice(data, 32);
  return { id: slice(data, 0, 32), depositor: depositor === zeroAddress ? undefined : depositor, createdAt };
}
