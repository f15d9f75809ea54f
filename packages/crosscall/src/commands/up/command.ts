import { Option } from "commander";

import { LOG_LEVELS } from "@crosscall/protocol/core";
import { DEFAULT_ROUTER, LOCAL_ROUTER_VERSIONS } from "@crosscall/protocol/generations";
import { LIVE_CHAINS } from "../../localnet/devchain/liveChains.ts";
import { HARDFORKS, PROTOCOLS, type TokenOptions } from "../../localnet/devchain/options.ts";
import { ROLES } from "../../localnet/defaults.ts";
import { chainOption, parseFinality, parseLiveChains, parseToken } from "../../options/chains.ts";
import type { Command } from "../../options/command.ts";
import { parseInteger } from "../../options/commonOptions.ts";

export function defineUp(command: Command): Command {
  return command
    .addOption(chainOption())
    .option(
      "--like-mainnet",
      "copy live chains: ids, names, native currencies, token addresses, block times and gas prices (default: ethereum, optimism, bsc, polygon, base and arbitrum)",
    )
    .option(
      "--chains <names>",
      `live chains to copy with --like-mainnet, comma-separated names or ids: ${LIVE_CHAINS.map(({ name }) => name).join(", ")}`,
      parseLiveChains,
    )
    .option("--svm", "run Solana, chain 792703809, instead of simulating it; requires the package litesvm")
    .option(
      "--token <chain:address=symbol:decimals[:price]>",
      "additional token at an address, with its price in US dollars; a fork uses the existing contract, and the price in Uniswap by default; repeatable",
      addToken,
      [],
    )
    .option(
      "--mining-interval <ms>",
      "interval at which every chain mines, 10 to 600000 (default: one block per transaction)",
      parseInteger,
    )
    .option(
      "--block-time <ms>",
      "interval at which chains mine pending transactions, without empty blocks, 10 to 600000 (default with --like-mainnet: the live chain's)",
      parseInteger,
    )
    .option(
      "--gas-price <gwei>",
      "constant gas price of every chain (default with --like-mainnet: the live chain's)",
      Number,
    )
    .option(
      "--finality <depth>",
      "depth at which blocks are final: blocks (10), seconds (60s) or both (10,60s) (default with --like-mainnet: the live chain's)",
      parseFinality,
    )
    .option("--latency <ms>", "delay of every RPC request, up to 60000", parseInteger)
    .addOption(
      new Option("--hardfork <name>", "EVM rules of every chain in this process (default: prague)").choices(HARDFORKS),
    )
    .addOption(
      new Option("--protocols <names...>", "protocols to deploy on every chain in addition to Uniswap v3").choices(
        PROTOCOLS,
      ),
    )
    .addOption(
      new Option(
        "--router <version>",
        `generation of the service's router on every chain (default: ${DEFAULT_ROUTER})`,
      ).choices(LOCAL_ROUTER_VERSIONS),
    )
    .option(
      "--database <folder>",
      "database folder; a restart resumes from it if the chains also run outside this process (default: in memory)",
    )
    .addOption(
      new Option("--database-url <url>", "PostgreSQL database; networks with the same database share the work").env(
        "DATABASE_URL",
      ),
    )
    .option(
      "--from <file>",
      "continue a network saved with `crosscall snapshot save` in a new database; the chains keep their settings",
    )
    .option("--retention-months <months>", "delete requests older than this (default: keep all)", parseInteger)
    .option(
      "--delivery-retention-days <days>",
      "delete webhook events this long after delivery (default: keep all)",
      parseInteger,
    )
    .addOption(
      new Option(
        "--role <role>",
        "run only the API with the console, or only fills, refunds and webhooks; needs --database-url and chains on nodes",
      ).choices(ROLES),
    )
    .option(
      "--listen <address>",
      "IP address of the service and of chains in this process, such as 0.0.0.0 in a container (default: 127.0.0.1)",
    )
    .option(
      "--port <port>",
      "port of the service; 0 picks free ports for all services and does not remember them (default: the last port in this folder, or 3000)",
      parseInteger,
    )
    .option(
      "--rpc-port <port>",
      "port of the first chain; other chains use the ports after it; 0 picks free ports (default: the last ports in this folder)",
      parseInteger,
    )
    .option(
      "--oracle-port <port>",
      "loopback port of the attestation oracle; 0 picks a free port (default: the last port in this folder)",
      parseInteger,
    )
    .option("--no-oracle", "do not start attestation oracles")
    .option(
      "--delivery-bps <bps>",
      "difference between delivered and quoted amount, in bps; never below the quoted minimum (default: 0)",
      parseInteger,
    )
    .option("--api-key <key>", "API key that the service accepts; repeatable (default: crosscall-local)", addKey, [])
    .option(
      "--default-api-key <key>",
      "API key for requests without one, such as those of published clients, which send no key to a local URL",
    )
    .addOption(
      new Option("--limits <limits>", "rate limits: the live service's, or none")
        .choices(["documented", "off"])
        .default("documented"),
    )
    .option("--keep-retired", "keep retired endpoints working; by default they return 410, as on the live service")
    .option(
      "--strict",
      "reject quote request fields that have no effect on a local network; by default they are ignored",
    )
    .option(
      "--allow-webhook-hosts <hosts>",
      "comma-separated hosts that webhooks may call in addition to loopback; repeatable",
      addHosts,
      [],
    )
    .addOption(
      new Option(
        "--admin-key <key>",
        "key of the admin API (default: a random one, which commands in this folder find)",
      ).env("CROSSCALL_ADMIN_KEY"),
    )
    .option(
      "--host <host>",
      "additional host name of the network, for example that of a proxy; its pages may call the network's chains; repeatable",
      addKey,
      [],
    )
    .option("--console-admin", "allow the console to change the network under --host names too, after sign-in")
    .addOption(new Option("--log-level <level>", "log level").choices(LOG_LEVELS).default("warn"))
    .option("--json", "print one JSON object when the network is ready")
    .examples([
      "crosscall up",
      "crosscall up --like-mainnet",
      "crosscall up --like-mainnet --chains base,arbitrum --block-time 0",
      "crosscall up --chain 8453=fork:https://mainnet.base.org --chain 31338 --token 8453:0x940181a94a35a4569e4529a3cdfb74e38fd98631=AERO:18:1",
      "crosscall up --port 4000 --rpc-port 8545",
      "crosscall up --delivery-bps -25",
      "crosscall up --database-url postgres://me@127.0.0.1:5432/crosscall",
      "crosscall up --from held.snapshot",
      "crosscall up --mining-interval 2000 --latency 100",
      "crosscall up --chain 10=fork:https://mainnet.optimism.io@130000000 --chain 31338",
      "crosscall up --chain 31337=http://127.0.0.1:8545 --chain 31338=http://127.0.0.1:8546 --database .crosscall/db",
      "crosscall up --role worker --database-url postgres://me@db/crosscall --chain 31337=http://a:8545 --chain 31338=http://b:8545",
    ])
    .lazyAction(async () => (await import("./run.ts")).runUp);
}

function addToken(text: string, tokens: readonly TokenOptions[]): readonly TokenOptions[] {
  return [...tokens, parseToken(text)];
}

function addKey(key: string, keys: readonly string[]): readonly string[] {
  return [...keys, key];
}

function addHosts(text: string, hosts: readonly string[]): readonly string[] {
  return [...hosts, ...text.split(",").map((host) => host.trim())];
}
