import { type Command, Option } from "commander";

import { LOG_LEVELS } from "@crosscall/sdk/internal/core/logLevel";
import { PROTOCOLS } from "../src/devchain/options.ts";
import { chainOption } from "./options/chains.ts";
import { lazily } from "./options/lazily.ts";
import { parseInteger } from "./options/numbers.ts";

/** `crosscall up`: the local network, until Ctrl-C. */
export function defineUp(command: Command): Command {
  return command
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
    .action(lazily(async () => (await import("./up/runUp.ts")).runUp));
}

function addKey(key: string, keys: readonly string[]): readonly string[] {
  return [...keys, key];
}

function addHosts(text: string, hosts: readonly string[]): readonly string[] {
  return [...hosts, ...text.split(",").map((host) => host.trim())];
}
