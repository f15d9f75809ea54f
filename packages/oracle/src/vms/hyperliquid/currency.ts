import { parseUnits, stringToHex } from "viem";

import { HYPERLIQUID_CODEC } from "@crosscall/protocol/vms";
import { requireAttested } from "../../attestationRefusedError.ts";
import type { ExchangeTransfer, HyperliquidReader } from "./hyperliquidReader.ts";

/** USDC, the only collateral of the main market. */
const DOLLAR = "0x6d1e7cde53ba9467b783cb7c530ce054";

/** Decimals of the main market, whatever the token list says. */
const NATIVE_DECIMALS = 8;

/**
 * As in orders: native currency is the dollar on the main market; others are the token's id, with the name of a
 * builder's market appended.
 *
 * @returns undefined for any other token on the main market
 */
export function currencyOf({ token, market }: Pick<ExchangeTransfer, "market" | "token">): string | undefined {
  if (market === "") return token === undefined || token === DOLLAR ? HYPERLIQUID_CODEC.nativeCurrency : undefined;
  return `${token}${market === "spot" ? "" : stringToHex(market).slice(2)}`;
}

/**
 * In the smallest unit.
 *
 * @throws {@link AttestationRefusedError} if the exchange does not list the token
 */
export async function amountOf(
  reader: Pick<HyperliquidReader, "decimalsOf">,
  { token, market, amount }: ExchangeTransfer,
): Promise<bigint> {
  const decimals = market === "" || token === undefined ? NATIVE_DECIMALS : await reader.decimalsOf(token);
  requireAttested(decimals !== undefined, "Could not retrieve payment currency decimals");
  // Amounts below the smallest unit do not arrive; parseUnits would round up.
  const [whole = "0", fraction = ""] = amount.split(".");
  return parseUnits(`${whole}.${fraction.slice(0, decimals)}`, decimals);
}
