import { parseUnits, stringToHex } from "viem";

import { HYPERLIQUID_CODEC } from "@crosscall/sdk/internal/protocol/vms/hyperliquid";
import { requireAttested } from "../../attestationRefusedError.ts";
import type { ExchangeTransfer, HyperliquidReader } from "./hyperliquidReader.ts";

/** The dollar, which alone is traded against on the main market. */
const DOLLAR = "0x6d1e7cde53ba9467b783cb7c530ce054";

/** In which amounts on the main market are counted, whatever the list of tokens says. */
const NATIVE_DECIMALS = 8;

/**
 * The currency that a transfer moves, as orders name it: the native one is the dollar on the main market, others are the
 * token's id, followed by the market's name where it is neither of the exchange's own.
 *
 * @returns undefined for another token than the dollar on the main market
 */
export function currencyOf({ token, market }: Pick<ExchangeTransfer, "market" | "token">): string | undefined {
  if (market === "") return token === undefined || token === DOLLAR ? HYPERLIQUID_CODEC.nativeCurrency : undefined;
  return `${token}${market === "spot" ? "" : stringToHex(market).slice(2)}`;
}

/**
 * What a transfer moves, in the smallest unit.
 *
 * @throws {@link AttestationRefusedError} when the exchange does not list the token
 */
export async function amountOf(
  reader: Pick<HyperliquidReader, "decimalsOf">,
  { token, market, amount }: ExchangeTransfer,
): Promise<bigint> {
  const decimals = market === "" || token === undefined ? NATIVE_DECIMALS : await reader.decimalsOf(token);
  requireAttested(decimals !== undefined, "Could not retrieve payment currency decimals");
  // What is below the smallest unit did not arrive; parseUnits would round it up.
  const [whole = "0", fraction = ""] = amount.split(".");
  return parseUnits(`${whole}.${fraction.slice(0, decimals)}`, decimals);
}
