import { Option } from "commander";

import type { Command } from "../../options/command.ts";
import { parsePositive } from "../../options/commonOptions.ts";

const DEFAULT_TIMEOUT_MINUTES = 30;

export function defineDeploy(command: Command): Command {
  return command
    .addOption(
      new Option("--rpc-url <url>", "JSON-RPC endpoint of the chain; optional for a dry run").env("CROSSCALL_RPC_URL"),
    )
    .addOption(
      new Option("--private-key <key>", "deployer's private key; prefer the environment variable").env(
        "CROSSCALL_PRIVATE_KEY",
      ),
    )
    .option("--key-file <file>", "file with the deployer's private key; overrides the environment variable")
    .option("--chain-id <id>", "fail on any other chain", parsePositive)
    .option("--parameters <file>", "JSON file that lists contracts to deploy in addition to the standard ones")
    .option("--only <name>", "deploy only this contract and its dependencies; repeatable", addName, [])
    .option("--dry-run", "print addresses and missing contracts without sending transactions")
    .option("--confirmations <count>", "confirmations to wait for (default: 5; 1 on local nodes)", parsePositive)
    .option(
      "--timeout <minutes>",
      "stop waiting after this long; run again to continue",
      parsePositive,
      DEFAULT_TIMEOUT_MINUTES,
    )
    .option(
      "--folder <folder>",
      "folder of deployment records (default: deployments; for local chains .crosscall/deployments)",
    )
    .option("--verify", "verify the sources on the chain's explorer")
    .addOption(new Option("--explorer-key <key>", "explorer API key").env("ETHERSCAN_API_KEY"))
    .option("--explorer-api-url <url>", "API URL of the Etherscan-compatible explorer")
    .option("--explorer-url <url>", "website URL of the explorer")
    .option("--yes", "send without confirmation")
    .option("--json", "print one JSON object instead of progress and summary")
    .examples([
      "crosscall deploy --dry-run",
      "crosscall deploy --rpc-url http://127.0.0.1:8545 --parameters contracts.json --dry-run",
      "CROSSCALL_RPC_URL=… CROSSCALL_PRIVATE_KEY=… crosscall deploy --chain-id 8453 --verify",
    ])
    .lazyAction(async () => (await import("./run.ts")).runDeploy);
}

function addName(name: string, names: readonly string[]): readonly string[] {
  return [...names, name];
}
