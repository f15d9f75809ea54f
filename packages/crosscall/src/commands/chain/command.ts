import { Option } from "commander";

import { addAdminOptions } from "../../admin/adminOptions.ts";
import type { Command } from "../../options/command.ts";
import { parseInteger } from "../../options/commonOptions.ts";

export function defineChain(command: Command): Command {
  const faucet = command
    .command("faucet")
    .description("Send native currency or a token to an account.")
    .argument("<chainId>", "chain id", parseInteger)
    .argument("<address>", "account that receives the funds")
    .requiredOption("--amount <amount>", "amount in the smallest unit, up to 10^30")
    .option("--currency <currency>", "symbol or address (default: native currency)");
  addAdminOptions(faucet)
    .option("--json", "print one JSON object instead of text")
    .examples([
      "crosscall chain faucet 31337 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --amount 1000000000000000000",
      "crosscall chain faucet 31338 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --currency USDT --amount 5000000",
    ])
    .lazyAction(async () => (await import("./run.ts")).runFaucet);

  controlCommand(command, "state", "Show a chain's latest block, mining mode and latency.", [
    "31337",
    "31337 --json",
  ]).lazyAction(async () => (await import("./run.ts")).runState);

  controlCommand(command, "mine", "Mine blocks.", ["31337", "31337 --blocks 12"])
    .option("--blocks <count>", "number of blocks, up to 1000", parseInteger, 1)
    .lazyAction(async () => (await import("./run.ts")).runMine);

  controlCommand(
    command,
    "reorg",
    "Replace a chain's last blocks with empty ones. Undoes their transactions and drops pending ones. Keeps the blocks up to the network's own contracts.",
    ["31337 --blocks 3"],
  )
    .requiredOption("--blocks <count>", "number of blocks, up to 256", parseInteger)
    .lazyAction(async () => (await import("./run.ts")).runReorg);

  controlCommand(command, "mining", "Set a chain to mine at an interval, or on each transaction.", [
    "31337 --interval 2000",
    "31337 --automatic",
  ])
    .addOption(
      new Option("--interval <ms>", "interval between blocks, 10 to 600000")
        .argParser(parseInteger)
        .conflicts("automatic"),
    )
    .option("--automatic", "mine a block on each transaction")
    .lazyAction(async () => (await import("./run.ts")).runMining);

  controlCommand(
    command,
    "latency",
    "Delay every request to a chain's RPC URL, including those from the service and the solver.",
    ["31337 --ms 250", "31337 --ms 0"],
  )
    .requiredOption("--ms <ms>", "delay, up to 60000; 0 for none", parseInteger)
    .lazyAction(async () => (await import("./run.ts")).runLatency);

  command
    .command("accounts")
    .description("List the prefunded accounts of every local network with their private keys. These keys are public.")
    .option("--json", "print one JSON object instead of text")
    .examples(["crosscall chain accounts", "crosscall chain accounts --json"])
    .lazyAction(async () => (await import("./run.ts")).runAccounts);

  return command;
}

function controlCommand(parent: Command, name: string, description: string, examples: readonly string[]): Command {
  return addAdminOptions(parent.command(name))
    .description(description)
    .argument("<chainId>", "chain id", parseInteger)
    .option("--json", "print one JSON object instead of text")
    .examples(examples.map((line) => `crosscall chain ${name} ${line}`));
}
