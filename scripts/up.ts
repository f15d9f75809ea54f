import { Command, Option } from "commander";

import type { ChainOptions, LocalnetOptions } from "../src/localnet/index.ts";
import { LOG_LEVELS, type LogLevel } from "../src/localnet/log.ts";
import { type Protocol, PROTOCOLS } from "../src/localnet/options.ts";
import { type ChainBehaviour, chainOption, toChainOptions } from "./options/chains.ts";
import { parseInteger } from "./options/numbers.ts";
import { toNetworkJson, toNetworkText } from "./terminal/describeNetwork.ts";
import { interruptOnCtrlC } from "./terminal/interrupt.ts";
import { Stages } from "./terminal/stages.ts";
import { startNetwork } from "./terminal/startNetwork.ts";

interface UpOptions extends ChainBehaviour {
  readonly chain?: readonly ChainOptions[];
  readonly protocols?: readonly Protocol[];
  readonly database?: string;
  readonly databaseUrl?: string;
  readonly retentionMonths?: number;
  readonly deliveryRetentionDays?: number;
  readonly port: number;
  readonly oracle: boolean;
  readonly oraclePort: number;
  readonly deliveryBps: number;
  readonly apiKey: readonly string[];
  readonly limits: "documented" | "off";
  readonly allowWebhookHosts: readonly string[];
  readonly logLevel: LogLevel;
  readonly json?: boolean;
}

/** `crosscall up`: the local network, until Ctrl-C. */
export function upCommand(): Command {
  return new Command("up")
    .description(
      "Start the local network: two chains, the contracts, the service, its solver and two oracles. Ctrl-C stops it.",
    )
    .addOption(chainOption())
    .option(
      "--mining-interval <ms>",
      "time between blocks of every chain; without it each transaction makes one",
      parseInteger,
    )
    .option("--latency <ms>", "what every call of the chains' RPC URLs waits", parseInteger)
    .addOption(
      new Option("--protocols <names...>", "what is deployed on every chain beside Uniswap v3").choices(PROTOCOLS),
    )
    .option("--database <folder>", "keep the database in this folder (default: in memory)")
    .addOption(
      new Option("--database-url <url>", "keep it on a PostgreSQL server that several networks may share").env(
        "DATABASE_URL",
      ),
    )
    .option("--retention-months <months>", "drop requests of months further back (default: keep all)", parseInteger)
    .option(
      "--delivery-retention-days <days>",
      "drop webhook events so long after their delivery (default: keep all)",
      parseInteger,
    )
    .option("--port <port>", "port of the service on loopback; 0 takes a free one", parseInteger, 3000)
    .option("--oracle-port <port>", "port of the attestation oracle on loopback; 0 takes a free one", parseInteger, 0)
    .option("--no-oracle", "start no attestation oracles")
    .option("--delivery-bps <bps>", "how far fills deliver from the quote, in bps", parseInteger, 0)
    .option("--api-key <key>", "a key that may list requests; repeatable", addKey, [])
    .addOption(
      new Option("--limits <limits>", "calls a minute: the live service's, or none")
        .choices(["documented", "off"])
        .default("documented"),
    )
    .option("--allow-webhook-hosts <hosts>", "hosts beside loopback that webhooks may go to, by commas", addHosts, [])
    .addOption(new Option("--log-level <level>", "how much to log").choices(LOG_LEVELS).default("warn"))
    .option("--json", "print one JSON object when all is up")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall up",
        "  crosscall up --delivery-bps -25 --port 4000",
        "  crosscall up --database-url postgres://me@127.0.0.1:5432/crosscall",
        "  crosscall up --mining-interval 2000 --latency 100",
        "  crosscall up --chain 10=fork:https://mainnet.optimism.io@130000000 --chain 31338",
        "  crosscall up --chain 31337=http://127.0.0.1:8545 --chain 31338=http://127.0.0.1:8546 --database .crosscall/db",
      ].join("\n"),
    )
    .action(runUp);
}

async function runUp(options: UpOptions, command: Command): Promise<void> {
  const interrupt = interruptOnCtrlC();
  try {
    const stages = new Stages({ isSilent: options.json === true, signal: interrupt.signal });
    const network = await startNetwork(stages, interrupt.signal, toLocalnetOptions(options, command));
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

function toLocalnetOptions(options: UpOptions, command: Command): LocalnetOptions {
  const chains = toChainOptions(options.chain, options);
  return {
    ...(options.protocols === undefined ? {} : { protocols: options.protocols }),
    ...(chains === undefined ? {} : { chains }),
    ...toDatabase(options, command),
    ...(options.retentionMonths === undefined ? {} : { retentionMonths: options.retentionMonths }),
    ...(options.deliveryRetentionDays === undefined ? {} : { deliveryRetentionDays: options.deliveryRetentionDays }),
    ...(options.apiKey.length === 0 ? {} : { apiKeys: options.apiKey }),
    limits: options.limits,
    webhooks: { allowHosts: options.allowWebhookHosts },
    port: options.port,
    oracle: options.oracle,
    oraclePort: options.oraclePort,
    deliveryBps: options.deliveryBps,
    logLevel: options.logLevel,
  };
}

/** A folder that was named goes before a server that the environment names. */
function toDatabase({ database, databaseUrl }: UpOptions, command: Command): LocalnetOptions {
  const isOverruled = database !== undefined && command.getOptionValueSource("databaseUrl") === "env";
  return {
    ...(database === undefined ? {} : { databaseFolder: database }),
    ...(databaseUrl === undefined || isOverruled ? {} : { databaseUrl }),
  };
}

function addKey(key: string, keys: readonly string[]): readonly string[] {
  return [...keys, key];
}

function addHosts(text: string, hosts: readonly string[]): readonly string[] {
  return [...hosts, ...text.split(",").map((host) => host.trim())];
}
