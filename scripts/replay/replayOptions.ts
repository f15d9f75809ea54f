import { type Command, InvalidArgumentError, Option } from "commander";

import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";
import { parseInteger } from "../options/numbers.ts";
import { rpcUrlOption } from "../options/rpcUrls.ts";
import { addServiceOptions, type ServiceOptions } from "../options/serviceOptions.ts";

/** Where what was read of chains is kept, unless told otherwise. */
const CACHE_FOLDER = ".crosscall/replay-cache";

/** What every replay takes, as commander hands it over. */
export interface ReplayOptions extends ServiceOptions {
  readonly rpcUrl?: readonly string[];
  readonly abi?: readonly string[];
  /** False: none. */
  readonly cache: string | false;
}

/** Adds the options that every replay takes: where chains, service, ABIs and the cache are. */
export function addReplayOptions(command: Command): Command {
  return addServiceOptions(command)
    .addOption(rpcUrlOption())
    .option("--abi <file>", "JSON ABI or artifact of a called contract; repeatable", collect)
    .option("--cache <folder>", "cache of chain data for the next run", CACHE_FOLDER)
    .option("--no-cache", "do not use the cache");
}

/** `--exact`: on the state that the fill itself found. */
export function exactOption(): Option {
  return new Option("--exact", "first run the transactions before the fill in its block");
}

/** What replaces parts of the fill, as commander hands it over. */
export interface OverrideOptions {
  readonly amount?: bigint;
  readonly router?: string;
  readonly currency?: string;
  readonly recipient?: string;
}

/** Adds the options that replace what the order, the plan or the transaction says of the fill. */
export function addOverrideOptions(command: Command): Command {
  return command
    .option("--amount <amount>", "delivered amount, in the smallest unit", parseAmountOption)
    .option("--router <address>", "router that makes the calls")
    .option("--currency <address>", "delivered currency; the zero address is native")
    .option("--recipient <address>", "account that receives the output");
}

/** An amount of an option, in the smallest unit. */
export function parseAmountOption(text: string): bigint {
  if (/^(0|[1-9]\d{0,77})$/u.test(text)) return BigInt(text);
  throw new InvalidArgumentError("Use a whole number in the smallest unit.");
}

/** A block's number of an option. */
export function parseBlock(text: string): bigint {
  const block = parseInteger(text);
  if (block >= 0) return BigInt(block);
  throw new InvalidArgumentError("Use a block number.");
}

/** The range of an envelope, as commander hands it over. */
export interface EnvelopeOptions {
  readonly envelope?: boolean;
  readonly from?: bigint;
  readonly to?: bigint;
  readonly steps?: number;
  readonly log?: boolean;
}

/** Adds the options of envelopes. */
export function addEnvelopeOptions(command: Command): Command {
  return command
    .option("--envelope", "try a range of delivered amounts and find where the fill succeeds")
    .option("--from <amount>", "with --envelope: lowest amount (default: the order's minimum)", parseAmountOption)
    .option("--to <amount>", "with --envelope: highest amount (default: above the expected amount)", parseAmountOption)
    .option("--steps <count>", "with --envelope: number of amounts (default: 25)", parseInteger)
    .option("--log", "with --envelope: space amounts by ratio instead of difference");
}

/** A range of amounts to try. */
export interface EnvelopeRequest {
  readonly from?: bigint;
  readonly to?: bigint;
  readonly steps?: number;
  readonly scale?: "log";
}

/**
 * The range of amounts that the options ask for; undefined where they ask for none.
 *
 * @throws {@link InvalidInputError} when a range is given without `--envelope`
 */
export function toEnvelopeRequest({ envelope, from, to, steps, log }: EnvelopeOptions): EnvelopeRequest | undefined {
  const range = {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(steps === undefined ? {} : { steps }),
    ...(log === true ? ({ scale: "log" } as const) : {}),
  };
  if (envelope === true) return range;
  const [field] = Object.keys(range);
  if (field === undefined) return undefined;
  throw new InvalidInputError({
    field: field === "scale" ? "--log" : `--${field}`,
    value: undefined,
    reason: "it is of a range of amounts, and none is asked for",
    hint: "Add --envelope.",
  });
}

/** Gathers the values of an option that may be repeated. */
export function collect(file: string, others: readonly string[] | undefined): readonly string[] {
  return [...(others ?? []), file];
}
