import { getAddress } from "viem";

import { InvalidInputError } from "@crosscall/protocol/core";
import { findLiveChain, LIVE_CHAINS, type LiveChain, type LiveToken } from "./liveChains.ts";
import type { ChainOptions, TokenOptions } from "./options.ts";
import { toUsdE18 } from "./chainToken.ts";

/** The chains that `like: "mainnet"` starts by default. */
export const LIVE_CHAIN_OPTIONS: readonly ChainOptions[] = [1, 10, 56, 137, 8_453, 42_161].map((id) => ({ id }));

/**
 * Adds the block time, the gas price and the finality of the live chain, unless they are given. A node in another
 * process has its own settings.
 *
 * @throws {@link InvalidInputError} if the live chain is not known
 */
export function likeLive(chain: ChainOptions, field: string): ChainOptions {
  const { blockTimeMs, gasPriceGwei, finalitySeconds } = requireLiveChain(chain.id, `${field}.id`);
  if (chain.rpcUrl !== undefined) return chain;
  const finality = { seconds: finalitySeconds };
  return { ...(chain.miningIntervalMs === undefined ? { blockTimeMs } : {}), gasPriceGwei, finality, ...chain };
}

/** @throws {@link InvalidInputError} if the live chain is not known */
function requireLiveChain(idOrName: number | string, field: string): LiveChain {
  const live = findLiveChain(idOrName);
  if (live !== undefined) return live;
  throw new InvalidInputError({
    field,
    value: idOrName,
    reason: "is not a chain that the network can copy",
    hint: `Use ${LIVE_CHAINS.map(({ id, name }) => `${name} (${id})`).join(", ")}, or start the network without like.`,
  });
}

/** Prices of live tokens by symbol, in US dollars, scaled by 10^18. */
const PRICES: ReadonlyMap<string, bigint> = new Map(
  LIVE_CHAINS.flatMap(({ tokens }) => tokens.map(({ symbol, priceUsdE18 }) => [symbol.toUpperCase(), priceUsdE18])),
);

/** A token at a given address. Its price is missing if it is neither given nor in the table. */
export interface GivenToken extends Omit<LiveToken, "priceUsdE18"> {
  readonly priceUsdE18: bigint | undefined;
}

/** Returns the given tokens of a chain. */
export function givenTokens(tokens: readonly TokenOptions[], chainId: number): GivenToken[] {
  return tokens
    .filter((token) => token.chainId === chainId)
    .map(({ address, symbol, decimals, priceUsd }) => ({
      // Nothing is known about the token's approvals, and resetting an allowance works with all tokens.
      address: getAddress(address),
      symbol,
      name: symbol,
      decimals,
      priceUsdE18: priceUsd === undefined ? PRICES.get(symbol.toUpperCase()) : toUsdE18(priceUsd),
      code: "LiveToken",
      needsReset: true,
    }));
}
