import { InvalidArgumentError, Option } from "commander";

import { compact, InvalidInputError } from "@crosscall/protocol/core";
import type { Command } from "../../options/command.ts";
import { parseInteger, rpcUrlOption, addServiceOptions, type ServiceOptions } from "../../options/commonOptions.ts";

export const CACHE_FOLDER = ".crosscall/replay-cache";

export interface ReplayOptions extends ServiceOptions {
  readonly rpcUrl?: readonly string[];
  readonly abi?: readonly string[];
  /** False: none. */
  readonly cache: string | false;
}

export function addReplayOptions(command: Command): Command {
  return addServiceOptions(command)
    .addOption(rpcUrlOption())
    .option("--abi <file>", "JSON ABI or artifact of a called contract; repeatable", collect)
    .option("--cache <folder>", "cache of chain data for the next run", CACHE_FOLDER)
    .option("--no-cache", "do not cache chain data");
}

export function exactOption(): Option {
  return new Option("--exact", "first run the transactions before the fill in its block");
}

export interface OverrideOptions {
  readonly amount?: bigint;
  readonly router?: string;
  readonly currency?: string;
  readonly recipient?: string;
}

export function addOverrideOptions(command: Command): Command {
  return command
    .option("--amount <amount>", "delivered amount, in the smallest unit", parseAmountOption)
    .option("--router <address>", "router that makes the calls")
    .option("--currency <address>", "delivered currency; the zero address is native currency")
    .option("--recipient <address>", "account that receives the output");
}

export function parseAmountOption(text: string): bigint {
  if (/^(0|[1-9]\d{0,77})$/u.test(text)) return BigInt(text);
  throw new InvalidArgumentError("Use a whole number in the smallest unit.");
}

export function parseBlock(text: string): bigint {
  const block = parseInteger(text);
  if (block >= 0) return BigInt(block);
  throw new InvalidArgumentError("Use a block number.");
}

export interface EnvelopeOptions {
  readonly envelope?: boolean;
  readonly from?: bigint;
  readonly to?: bigint;
  readonly steps?: number;
  readonly log?: boolean;
}

export function addEnvelopeOptions(command: Command): Command {
  return command
    .option("--envelope", "try a range of delivered amounts and find those that work")
    .option("--from <amount>", "with --envelope: lowest amount (default: the order's minimum)", parseAmountOption)
    .option("--to <amount>", "with --envelope: highest amount (default: above the expected amount)", parseAmountOption)
    .option("--steps <count>", "with --envelope: number of amounts (default: 25)", parseInteger)
    .option("--log", "with --envelope: space amounts by ratio instead of difference");
}

export type EnvelopeRequest = Pick<EnvelopeOptions, "from" | "to" | "steps"> & { readonly scale?: "log" };

/** Converts options to an envelope request. Returns undefined if no envelope is requested. */
export function toEnvelopeRequest({ envelope, from, to, steps, log }: EnvelopeOptions): EnvelopeRequest | undefined {
  const range = compact({ from, to, steps, scale: log === true ? ("log" as const) : undefined });
  if (envelope === true) return range;
  const [field] = Object.keys(range);
  if (field === undefined) return undefined;
  throw new InvalidInputError({
    field: field === "scale" ? "--log" : `--${field}`,
    value: undefined,
    reason: "it requires --envelope, because it applies to a range of amounts",
    hint: "Add --envelope.",
  });
}

export function collect(file: string, others: readonly string[] | undefined): readonly string[] {
  return [...(others ?? []), file];
}

/** Options of `crosscall replay`. */
export interface RunOptions extends ReplayOptions, OverrideOptions, EnvelopeOptions {
  readonly exact?: boolean;
  readonly block?: bigint;
  readonly node?: string;
  readonly holder?: readonly string[];
  readonly rpcOnly?: boolean;
  readonly diff?: string;
  readonly diffBlock?: bigint;
  readonly html?: string;
  readonly json?: boolean;
}
