import { InvalidArgumentError, Option } from "commander";

import { compact } from "@crosscall/protocol/core";
import { findLiveChain, LIVE_CHAINS } from "../localnet/devchain/liveChains.ts";
import type { ChainOptions, Finality, Hardfork, TokenOptions } from "../localnet/devchain/options.ts";
import { DEFAULT_CHAINS } from "../localnet/defaults.ts";
import { parseInteger } from "./commonOptions.ts";

export function chainOption(): Option {
  return new Option(
    "--chain <id[=source]>",
    "chain: new in this process, on a local node (id=url), or a fork (id=fork:url[@block]); repeatable " +
      "(default: 31337 and 31338 in this process)",
  ).argParser<readonly ChainOptions[] | undefined>((text, chains) => [...(chains ?? []), parseChain(text)]);
}

/** Parses `31337`, `31337=http://…` or `10=fork:https://…@12345`. A fork starts at the latest block by default. */
export function parseChain(text: string): ChainOptions {
  const [, idText = "", source] = /^([^=]*)(?:=(.*))?$/su.exec(text) ?? [];
  const id = parseInteger(idText);
  if (source === undefined) return { id };
  if (source === "") throw new InvalidArgumentError("The value after = is missing.");
  if (!source.startsWith("fork:")) return { id, rpcUrl: source };
  const [, forkUrl = "", block] = /^fork:(.*?)(?:@(\d{1,15}))?$/su.exec(source) ?? [];
  return { id, forkUrl, ...(block === undefined ? {} : { forkBlock: Number(block) }) };
}

/** Parses ids or names of live chains, separated by commas. */
export function parseLiveChains(text: string): readonly ChainOptions[] {
  return text.split(",").map((part) => {
    const live = findLiveChain(part.trim());
    if (live !== undefined) return { id: live.id };
    throw new InvalidArgumentError(`Use names of ${LIVE_CHAINS.map(({ name }) => name).join(", ")}.`);
  });
}

/** Parses `8453:0x…=SYMBOL:decimals` or `8453:0x…=SYMBOL:decimals:price`. */
export function parseToken(text: string): TokenOptions {
  const [, chainId = "", address = "", symbol = "", decimals = "", price] =
    /^(\d+):(0x[0-9a-fA-F]{40})=([^:]+):(\d+)(?::(\d+(?:\.\d+)?))?$/u.exec(text) ?? [];
  if (address === "") {
    throw new InvalidArgumentError("Use chain:address=SYMBOL:decimals, with :price in US dollars for unknown symbols.");
  }
  return {
    chainId: parseInteger(chainId),
    address,
    symbol,
    decimals: parseInteger(decimals),
    ...compact({ priceUsd: price === undefined ? undefined : Number(price) }),
  };
}

/** Parses `10` blocks, `60s` or `10,60s`. */
export function parseFinality(text: string): Finality {
  const [match, blocks, both, only] = /^(\d{1,9})(?:,(\d{1,9})s)?$|^(\d{1,9})s$/u.exec(text) ?? [];
  if (match === undefined) throw new InvalidArgumentError("Use blocks, seconds or both: 10, 60s or 10,60s.");
  const toNumber = (digits: string | undefined) => (digits === undefined ? undefined : Number(digits));
  return compact({ blocks: toNumber(blocks), seconds: toNumber(both ?? only) });
}

export interface ChainBehavior {
  readonly miningInterval?: number;
  readonly blockTime?: number;
  readonly gasPrice?: number;
  readonly finality?: Finality;
  readonly latency?: number;
  readonly hardfork?: Hardfork;
}

/** Returns the chains, or undefined if none was given. */
export function toChainOptions(
  chains: readonly ChainOptions[] | undefined,
  { miningInterval, blockTime, gasPrice, finality, latency, hardfork }: ChainBehavior,
): readonly ChainOptions[] | undefined {
  const behavior = compact({ miningIntervalMs: miningInterval, latencyMs: latency });
  const ownBehavior = compact({ hardfork, blockTimeMs: blockTime, gasPriceGwei: gasPrice, finality });
  if (Object.keys({ ...behavior, ...ownBehavior }).length === 0) return chains;
  return (chains ?? DEFAULT_CHAINS).map((chain) => ({
    ...chain,
    ...behavior,
    // Chains with an RPC URL run in another process.
    ...(chain.rpcUrl === undefined ? ownBehavior : {}),
  }));
}
