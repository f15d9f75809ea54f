import { Command, Option } from "commander";

import { type ChainStateBody, ChainStateSchema } from "../../src/localnet/service/admin/chainSchemas.ts";
import { addAdminOptions, type AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { parseInteger } from "../options/numbers.ts";
import { toJsonLine } from "../terminal/toJson.ts";

interface TellOptions extends AdminOptions {
  readonly json?: boolean;
}

/** `crosscall chain state`: a chain's latest block, and how it behaves. */
export function stateCommand(): Command {
  return tellCommand("state", "Show a chain's latest block, and how it mines and answers.", [
    "31337",
    "31337 --json",
  ]).action((chainId: number, options: TellOptions) => tell(chainId, options, undefined));
}

/** `crosscall chain mine`: adds blocks. */
export function mineCommand(): Command {
  return tellCommand("mine", "Add blocks to a chain.", ["31337", "31337 --blocks 12"])
    .option("--blocks <count>", "how many, up to 1000", parseInteger, 1)
    .action((chainId: number, { blocks, ...options }: TellOptions & { blocks: number }) =>
      tell(chainId, options, { what: "mine", body: { blocks } }),
    );
}

/** `crosscall chain reorg`: replaces the last blocks. */
export function reorgCommand(): Command {
  return tellCommand("reorg", "Replace a chain's last blocks by empty ones: their transactions never happened.", [
    "31337 --blocks 3",
  ])
    .requiredOption("--blocks <count>", "how many, up to 256", parseInteger)
    .action((chainId: number, { blocks, ...options }: TellOptions & { blocks: number }) =>
      tell(chainId, options, { what: "reorg", body: { blocks } }),
    );
}

/** `crosscall chain mining`: how blocks are made. */
export function miningCommand(): Command {
  return tellCommand("mining", "Mine at an interval, or at once with each transaction.", [
    "31337 --interval 2000",
    "31337 --automatic",
  ])
    .addOption(
      new Option("--interval <ms>", "time between blocks, from 10 to 600000 milliseconds")
        .argParser(parseInteger)
        .conflicts("automatic"),
    )
    .option("--automatic", "each transaction makes a block at once")
    .action((chainId: number, { interval, automatic, ...options }: TellOptions & MiningOptions) => {
      const intervalBody = interval === undefined ? {} : { intervalMs: interval };
      const body = automatic === true ? { automatic } : intervalBody;
      return tell(chainId, options, { what: "mining", body });
    });
}

interface MiningOptions {
  readonly interval?: number;
  readonly automatic?: boolean;
}

/** `crosscall chain latency`: how long calls wait. */
export function latencyCommand(): Command {
  return tellCommand("latency", "Make every call of a chain's RPC URL wait.", ["31337 --ms 250", "31337 --ms 0"])
    .requiredOption("--ms <ms>", "how long, up to 60000 milliseconds", parseInteger)
    .action((chainId: number, { ms, ...options }: TellOptions & { ms: number }) =>
      tell(chainId, options, { what: "latency", body: { latencyMs: ms } }),
    );
}

function tellCommand(name: string, description: string, examples: readonly string[]): Command {
  const command = new Command(name)
    .description(description)
    .argument("<chainId>", "the chain, as `crosscall up` lists it", parseInteger);
  return addAdminOptions(command)
    .option("--json", "print one JSON object instead of text")
    .addHelpText("after", ["", "Examples:", ...examples.map((line) => `  crosscall chain ${name} ${line}`)].join("\n"));
}

async function tell(
  chainId: number,
  { json = false, ...options }: TellOptions,
  order: { readonly what: string; readonly body: unknown } | undefined,
): Promise<void> {
  const path = `/admin/chains/${chainId}`;
  const call =
    order === undefined
      ? { method: "GET" as const, path }
      : { method: "POST" as const, path: `${path}/${order.what}`, body: order.body };
  await runAdmin(async (signal) => {
    const state = await callAdmin(options, { ...call, schema: ChainStateSchema, signal });
    return json ? toJsonLine({ ok: true, ...state }) : toText(state);
  });
}

function toText({ chainId, blockNumber, blockHash, miningIntervalMs, latencyMs }: ChainStateBody): string {
  const mining = miningIntervalMs === null ? "a block for each transaction" : `a block every ${miningIntervalMs} ms`;
  return `chain ${chainId}  block ${blockNumber} ${blockHash}  ${mining}, latency ${latencyMs} ms\n`;
}
