import { type Command, Option } from "commander";

import { lazily } from "./options/lazily.ts";
import { parsePositive } from "./options/numbers.ts";

const DEFAULT_TIMEOUT_MINUTES = 30;

/** `crosscall deploy`: the kit's contracts on any chain, at the same addresses everywhere. */
export function defineDeploy(command: Command): Command {
  return command
    .addOption(new Option("--rpc-url <url>", "the chain's JSON-RPC endpoint").env("CROSSCALL_RPC_URL"))
    .addOption(
      new Option("--private-key <key>", "the deployer's key; better by the variable").env("CROSSCALL_PRIVATE_KEY"),
    )
    .option("--key-file <file>", "the file with the deployer's key; it comes before the variable")
    .option("--chain-id <id>", "refuse any chain but this one", parsePositive)
    .option("--parameters <file>", "contracts to deploy beside the standard ones, as JSON")
    .option("--only <name>", "deploy this contract and what it needs, not all; repeatable", addName, [])
    .option("--dry-run", "print the addresses and what is missing, and send nothing")
    .option("--confirmations <count>", "blocks to wait for (default: 5; 1 on local nodes)", parsePositive)
    .option("--timeout <minutes>", "give up waiting after this long", parsePositive, DEFAULT_TIMEOUT_MINUTES)
    .option("--folder <folder>", "where the records of deployments are", "deployments")
    .option("--verify", "hand the sources to the chain's explorer")
    .addOption(new Option("--explorer-key <key>", "API key of the explorer").env("ETHERSCAN_API_KEY"))
    .option("--explorer-api-url <url>", "an explorer other than Etherscan that speaks its API")
    .option("--explorer-url <url>", "the pages of that explorer")
    .option("--json", "print one JSON object instead of progress and summary")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall deploy --dry-run",
        "  crosscall deploy --rpc-url http://127.0.0.1:8545 --parameters contracts.json --dry-run",
        "  CROSSCALL_RPC_URL=… CROSSCALL_PRIVATE_KEY=… crosscall deploy --chain-id 8453 --verify",
      ].join("\n"),
    )
    .action(lazily(async () => (await import("./deploy/runDeploy.ts")).runDeploy));
}

function addName(name: string, names: readonly string[]): readonly string[] {
  return [...names, name];
}
