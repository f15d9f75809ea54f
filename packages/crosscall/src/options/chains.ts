import { InvalidArgumentError, Option } from "commander";

import { compact } from "@crosscall/protocol/core";
import type { ChainOptions, Hardfork } from "../localnet/devchain/options.ts";
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

export interface ChainBehavior {
  readonly miningInterval?: number;
  readonly latency?: number;
  readonly hardfork?: Hardfork;
}

/** Returns undefined if no chain was given. */
export function toChainOptions(
  chains: readonly ChainOptions[] | undefined,
  { miningInterval, latency, hardfork }: ChainBehavior,
): readonly ChainOptions[] | undefined {
  if (miningInterval === undefined && latency === undefined && hardfork === undefined) return chains;
  const behavior = compact({ miningIntervalMs: miningInterval, latencyMs: latency });
  return (chains ?? DEFAULT_CHAINS).map((chain) => ({
    ...chain,
    ...behavior,
    // Another process runs chains with an RPC URL.
    ...(hardfork === undefined || chain.rpcUrl !== undefined ? {} : { hardfork }),
  }));
}
