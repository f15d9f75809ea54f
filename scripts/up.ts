import { Command, Option } from "commander";

import type { ChainOptions, LocalnetOptions } from "../src/localnet/index.ts";
import { LOG_LEVELS, type LogLevel } from "../src/localnet/log.ts";
import { chainOption } from "./options/chains.ts";
import { parseInteger } from "./options/numbers.ts";
import { toNetworkJson, toNetworkText } from "./terminal/describeNetwork.ts";
import { interruptOnCtrlC } from "./terminal/interrupt.ts";
import { Stages } from "./terminal/stages.ts";
import { startNetwork } from "./terminal/startNetwork.ts";

interface UpOptions {
  readonly chain?: readonly ChainOptions[];
  readonly database?: string;
  readonly port: number;
  readonly deliveryBps: number;
  readonly apiKey: readonly string[];
  readonly limits: "documented" | "off";
  readonly logLevel: LogLevel;
  readonly json?: boolean;
}

/** `crosscall up`: the local network, until Ctrl-C. */
export function upCommand(): Command {
  return new Command("up")
    .description("Start the local network: two chains, the contracts, the service and its solver. Ctrl-C stops it.")
    .addOption(chainOption())
    .option("--database <folder>", "keep the database in this folder (default: in memory)")
    .option("--port <port>", "port of the service on loopback; 0 takes a free one", parseInteger, 3000)
    .option("--delivery-bps <bps>", "how far fills deliver from the quote, in bps", parseInteger, 0)
    .option("--api-key <key>", "a key that may list requests; repeatable", addKey, [])
    .addOption(
      new Option("--limits <limits>", "calls a minute: the live service's, or none")
        .choices(["documented", "off"])
        .default("documented"),
    )
    .addOption(new Option("--log-level <level>", "how much to log").choices(LOG_LEVELS).default("warn"))
    .option("--json", "print one JSON object when all is up")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall up",
        "  crosscall up --delivery-bps -25 --port 4000",
        "  crosscall up --chain 31337=http://127.0.0.1:8545 --chain 31338=http://127.0.0.1:8546 --database .crosscall/db",
      ].join("\n"),
    )
    .action(runUp);
}

async function runUp(options: UpOptions): Promise<void> {
  const interrupt = interruptOnCtrlC();
  try {
    const stages = new Stages({ isSilent: options.json === true, signal: interrupt.signal });
    const network = await startNetwork(stages, interrupt.signal, toLocalnetOptions(options));
    try {
      process.stdout.write(
        options.json === true ? `${JSON.stringify(toNetworkJson(network))}\n` : toNetworkText(network),
      );
      await interrupt.fired;
    } finally {
      await network.close();
    }
  } finally {
    interrupt.release();
  }
}

function toLocalnetOptions(options: UpOptions): LocalnetOptions {
  return {
    ...(options.chain === undefined ? {} : { chains: options.chain }),
    ...(options.database === undefined ? {} : { databaseFolder: options.database }),
    ...(options.apiKey.length === 0 ? {} : { apiKeys: options.apiKey }),
    limits: options.limits,
    port: options.port,
    deliveryBps: options.deliveryBps,
    logLevel: options.logLevel,
  };
}

function addKey(key: string, keys: readonly string[]): readonly string[] {
  return [...keys, key];
}
