import { Command, InvalidArgumentError, Option } from "commander";

import { localnet, type Localnet, type LocalnetOptions } from "../src/localnet/index.ts";
import { LOG_LEVELS, type LogLevel } from "../src/localnet/log.ts";
import { interruptOnCtrlC } from "./terminal/interrupt.ts";

interface UpOptions {
  readonly chain: readonly { id: number; rpcUrl?: string }[];
  readonly database?: string;
  readonly port: number;
  readonly deliveryBps: number;
  readonly apiKey: readonly string[];
  readonly logLevel: LogLevel;
  readonly json?: boolean;
}

/** `crosscall up`: the local network, until Ctrl-C. */
export function upCommand(): Command {
  return new Command("up")
    .description("Start the local network: two chains, the contracts, the service and its solver. Ctrl-C stops it.")
    .option("--chain <id[=url]>", "a chain, on a local node at the URL or in this process; repeatable", addChain, [])
    .option("--database <folder>", "keep the database in this folder (default: in memory)")
    .option("--port <port>", "port of the service on loopback; 0 takes a free one", parseInteger, 3000)
    .option("--delivery-bps <bps>", "how far fills deliver from the quote, in bps", parseInteger, 0)
    .option("--api-key <key>", "a key that may list requests; repeatable", addKey, [])
    .addOption(new Option("--log-level <level>", "how much to log").choices(LOG_LEVELS).default("warn"))
    .option("--json", "print one JSON object when all is up")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall up",
        "  crosscall up --delivery-bps -25 --database .crosscall",
        "  crosscall up --chain 31337=http://127.0.0.1:8545 --chain 31338=http://127.0.0.1:8546",
      ].join("\n"),
    )
    .action(runUp);
}

async function runUp(options: UpOptions): Promise<void> {
  const interrupt = interruptOnCtrlC();
  try {
    const network = await localnet(toLocalnetOptions(options));
    try {
      process.stdout.write(options.json === true ? `${JSON.stringify(describe(network))}\n` : summary(network));
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
    ...(options.chain.length === 0 ? {} : { chains: options.chain }),
    ...(options.database === undefined ? {} : { databaseFolder: options.database }),
    ...(options.apiKey.length === 0 ? {} : { apiKeys: options.apiKey }),
    port: options.port,
    deliveryBps: options.deliveryBps,
    logLevel: options.logLevel,
  };
}

/** A running network as plain data. */
export function describe({ url, apiKey, chains, solver, accounts }: Localnet): Record<string, unknown> {
  return { ok: true, url, apiKey, solver, user: accounts.user.address, chains };
}

/** A running network for people. */
export function summary({ url, apiKey, chains, solver }: Localnet): string {
  const lines = [
    `service      ${url}   (try ${url}/documentation)`,
    `API key      ${apiKey}`,
    `solver       ${solver}`,
    ...chains.flatMap(({ id, rpcUrl, contracts }) => [
      `chain ${id}  ${rpcUrl}`,
      ...Object.entries(contracts).map(([name, address]) => `  ${name.padEnd(11)}${String(address)}`),
    ]),
    "",
    "Ctrl-C stops it.",
    "",
  ];
  return lines.join("\n");
}

function addChain(text: string, chains: readonly { id: number; rpcUrl?: string }[]): typeof chains {
  const [id = "", ...rest] = text.split("=");
  const rpcUrl = rest.join("=");
  return [...chains, { id: parseInteger(id), ...(rpcUrl === "" ? {} : { rpcUrl }) }];
}

function addKey(key: string, keys: readonly string[]): readonly string[] {
  return [...keys, key];
}

function parseInteger(text: string): number {
  if (/^-?\d{1,15}$/u.test(text)) return Number(text);
  throw new InvalidArgumentError("It is not a whole number.");
}
