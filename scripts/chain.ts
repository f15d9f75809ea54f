import { Option } from "commander";

import { addAdminOptions } from "./admin/adminOptions.ts";
import type { AdminOptions } from "./admin/adminOptions.ts";
import { Command } from "./options/command.ts";
import { lazily } from "./options/lazily.ts";
import { parseInteger } from "./options/numbers.ts";

export function defineChain(command: Command): Command {
  return command
    .addCommand(faucetCommand())
    .addCommand(stateCommand())
    .addCommand(mineCommand())
    .addCommand(reorgCommand())
    .addCommand(miningCommand())
    .addCommand(latencyCommand())
    .addCommand(accountsCommand());
}

function accountsCommand(): Command {
  return new Command("accounts")
    .description("List the prefunded accounts of every local network with their private keys. These keys are public.")
    .option("--json", "print one JSON object instead of text")
    .examples(["crosscall chain accounts", "crosscall chain accounts --json"])
    .action(lazily(async () => (await import("./chain/runChain.ts")).runAccounts));
}

function faucetCommand(): Command {
  const command = new Command("faucet")
    .description("Send native currency or a token to an account.")
    .argument("<chainId>", "chain id", parseInteger)
    .argument("<address>", "account that receives the funds")
    .requiredOption("--amount <amount>", "amount in the smallest unit, up to 10^30")
    .option("--currency <currency>", "symbol or address (default: native currency)");
  return addAdminOptions(command)
    .option("--json", "print one JSON object instead of text")
    .examples([
      "crosscall chain faucet 31337 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --amount 1000000000000000000",
      "crosscall chain faucet 31338 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --currency USDT --amount 5000000",
    ])
    .action(lazily(async () => (await import("./chain/runChain.ts")).runFaucet));
}

function stateCommand(): Command {
  return controlCommand("state", "Show a chain's latest block, mining mode and latency.", [
    "31337",
    "31337 --json",
  ]).action((chainId: number, options: AdminOptions) => controlChain(chainId, options));
}

function mineCommand(): Command {
  return controlCommand("mine", "Mine blocks.", ["31337", "31337 --blocks 12"])
    .option("--blocks <count>", "number of blocks, up to 1000", parseInteger, 1)
    .action((chainId: number, { blocks, ...options }: AdminOptions & { blocks: number }) =>
      controlChain(chainId, options, { name: "mine", body: { blocks } }),
    );
}

function reorgCommand(): Command {
  return controlCommand(
    "reorg",
    "Replace a chain's last blocks with empty ones. Their transactions are undone and pending ones are dropped. Blocks before the network's own contracts stay.",
    ["31337 --blocks 3"],
  )
    .requiredOption("--blocks <count>", "number of blocks, up to 256", parseInteger)
    .action((chainId: number, { blocks, ...options }: AdminOptions & { blocks: number }) =>
      controlChain(chainId, options, { name: "reorg", body: { blocks } }),
    );
}

function miningCommand(): Command {
  return controlCommand("mining", "Set a chain to mine at an interval, or on each transaction.", [
    "31337 --interval 2000",
    "31337 --automatic",
  ])
    .addOption(
      new Option("--interval <ms>", "interval between blocks, 10 to 600000")
        .argParser(parseInteger)
        .conflicts("automatic"),
    )
    .option("--automatic", "mine a block on each transaction")
    .action((chainId: number, { interval, automatic, ...options }: AdminOptions & MiningOptions) => {
      const intervalBody = interval === undefined ? {} : { intervalMs: interval };
      const body = automatic === true ? { automatic } : intervalBody;
      return controlChain(chainId, options, { name: "mining", body });
    });
}

interface MiningOptions {
  readonly interval?: number;
  readonly automatic?: boolean;
}

function latencyCommand(): Command {
  return controlCommand(
    "latency",
    "Delay every call to a chain's RPC URL, including calls of the service and the solver.",
    ["31337 --ms 250", "31337 --ms 0"],
  )
    .requiredOption("--ms <ms>", "delay, up to 60000; 0 for none", parseInteger)
    .action((chainId: number, { ms, ...options }: AdminOptions & { ms: number }) =>
      controlChain(chainId, options, { name: "latency", body: { latencyMs: ms } }),
    );
}

function controlCommand(name: string, description: string, examples: readonly string[]): Command {
  const command = new Command(name).description(description).argument("<chainId>", "chain id", parseInteger);
  return addAdminOptions(command)
    .option("--json", "print one JSON object instead of text")
    .examples(examples.map((line) => `crosscall chain ${name} ${line}`));
}

const controlChain = lazily(async () => (await import("./chain/runChain.ts")).controlChain);
