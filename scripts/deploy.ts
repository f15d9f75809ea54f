import { Command, Option } from "commander";
import colors from "picocolors";

import { InvalidInputError } from "../src/core/errors.ts";
import type { DeploymentOptions, DeploymentOutcome } from "./deploy/runDeployment.ts";
import type { Explorer } from "./deploy/verifySources.ts";
import { parsePositive } from "./options/numbers.ts";
import { readKeyFile } from "./options/privateKey.ts";
import { interruptOnCtrlC } from "./terminal/interrupt.ts";
import { Stages } from "./terminal/stages.ts";

const DEFAULT_TIMEOUT_MINUTES = 30;

interface DeployOptions {
  readonly rpcUrl?: string;
  readonly privateKey?: string;
  readonly keyFile?: string;
  readonly chainId?: number;
  readonly parameters?: string;
  readonly only: readonly string[];
  readonly dryRun?: boolean;
  readonly confirmations?: number;
  readonly timeout: number;
  readonly folder: string;
  readonly verify?: boolean;
  readonly explorerKey?: string;
  readonly explorerApiUrl?: string;
  readonly explorerUrl?: string;
  readonly json?: boolean;
}

/** `crosscall deploy`: the kit's contracts on any chain, at the same addresses everywhere. */
export function deployCommand(): Command {
  return new Command("deploy")
    .description(
      "Deploy the kit's contracts to a chain, at the same addresses as on every other. Deploys what is missing.",
    )
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
    .action(runDeploy);
}

async function runDeploy(options: DeployOptions, command: Command): Promise<void> {
  const { json = false } = options;
  const interrupt = interruptOnCtrlC();
  const stages = new Stages({ isSilent: json, signal: interrupt.signal });
  try {
    // Ignition is heavy, and the other commands do without it.
    const { runDeployment } = await import("./deploy/runDeployment.ts");
    const outcome = await runDeployment(await toDeploymentOptions(options, command), stages, interrupt.signal);
    process.stdout.write(json ? `${JSON.stringify({ ok: true, ...outcome })}\n` : toText(outcome));
  } finally {
    interrupt.release();
  }
}

async function toDeploymentOptions(options: DeployOptions, command: Command): Promise<DeploymentOptions> {
  return {
    rpcUrl: options.rpcUrl,
    ...(await keyOf(options, command)),
    chainId: options.chainId,
    parametersPath: options.parameters,
    only: options.only,
    isDryRun: options.dryRun === true,
    confirmations: options.confirmations,
    timeoutMs: options.timeout * 60_000,
    folder: options.folder,
    explorer: options.verify === true ? toExplorer(options) : undefined,
  };
}

/** The key and where it was given: an option comes before the variable. */
async function keyOf(
  { privateKey, keyFile }: DeployOptions,
  command: Command,
): Promise<Pick<DeploymentOptions, "privateKey" | "privateKeyField">> {
  if (keyFile === undefined) return { privateKey };
  if (command.getOptionValueSource("privateKey") !== "cli") {
    return { privateKey: await readKeyFile(keyFile), privateKeyField: "--key-file" };
  }
  throw new InvalidInputError({
    field: "--key-file",
    value: keyFile,
    reason: "--private-key names a key, too",
    cure: "Give one of them; better the file.",
  });
}

function toExplorer({ explorerKey, explorerApiUrl, explorerUrl }: DeployOptions): Explorer {
  if (explorerKey === undefined && explorerApiUrl === undefined) {
    throw new InvalidInputError({
      field: "--explorer-key",
      value: undefined,
      reason: "Etherscan takes no sources without a key",
      cure: "Give it by the option or in ETHERSCAN_API_KEY.",
    });
  }
  return {
    // Explorers of other makers ask for no key, but the plugin does.
    apiKey: explorerKey ?? "none",
    ...(explorerApiUrl === undefined ? {} : { apiUrl: explorerApiUrl }),
    ...(explorerUrl === undefined ? {} : { url: explorerUrl }),
  };
}

function toText({ chainId, contracts, transactions, file }: DeploymentOutcome): string {
  const width = Math.max(...contracts.map(({ name }) => name.length));
  const rows = contracts.map(({ name, address, state }) => `${colors.bold(name.padEnd(width))}  ${address}  ${state}`);
  const end = file === undefined ? "nothing was sent" : `${transactions.length} transactions sent; recorded in ${file}`;
  return `\n${[...rows, `${chainId === undefined ? "any chain" : `chain ${chainId}`}: ${end}`].join("\n")}\n`;
}

function addName(name: string, names: readonly string[]): readonly string[] {
  return [...names, name];
}
