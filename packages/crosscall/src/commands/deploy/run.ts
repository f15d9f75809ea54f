import { compact, InvalidInputError } from "@crosscall/protocol/core";
import type { Command } from "../../options/command.ts";
import { readKeyFile } from "../../options/privateKey.ts";
import { confirm } from "../../terminal/confirm.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { Stages } from "../../terminal/stages.ts";
import { type DeploymentOptions, type DeploymentOutcome, runDeployment } from "./runDeployment.ts";
import type { Explorer } from "./verifySources.ts";
import { outputColors, writeOutput } from "../../terminal/output.ts";

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
  readonly folder?: string;
  readonly verify?: boolean;
  readonly explorerKey?: string;
  readonly explorerApiUrl?: string;
  readonly explorerUrl?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export async function runDeploy(options: DeployOptions, command: Command): Promise<void> {
  const { json = false } = options;
  using interrupt = interruptOnCtrlC();
  const stages = new Stages({ isSilent: json, signal: interrupt.signal });
  const { signal } = interrupt;
  const outcome = await runDeployment(await toDeploymentOptions(options, command, signal), stages, signal);
  writeOutput(json ? `${JSON.stringify({ ok: true, ...outcome })}\n` : describeDeployment(outcome));
}

async function toDeploymentOptions(
  options: DeployOptions,
  command: Command,
  signal: AbortSignal,
): Promise<DeploymentOptions> {
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
    confirm: options.yes === true ? undefined : (question) => confirm(question, "the deployment", signal),
  };
}

/** Reads the key. The option takes precedence over the variable. */
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
    reason: "--private-key is also set",
    hint: "Pass one of them, preferably the file.",
  });
}

function toExplorer({ explorerKey, explorerApiUrl, explorerUrl }: DeployOptions): Explorer {
  if (explorerKey === undefined && explorerApiUrl === undefined) {
    throw new InvalidInputError({
      field: "--explorer-key",
      value: undefined,
      reason: "Etherscan requires an API key to verify sources",
      hint: "Pass the API key with the option or in ETHERSCAN_API_KEY.",
    });
  }
  // The plugin requires a key, even for explorers that do not need a key.
  return compact({ apiKey: explorerKey ?? "none", apiUrl: explorerApiUrl, url: explorerUrl });
}

/** Formats one line per contract. */
export function describeDeployment({ chainId, contracts, transactions, file }: DeploymentOutcome): string {
  const width = Math.max(...contracts.map(({ name }) => name.length));
  const rows = contracts.map(
    ({ name, address, state }) => `${outputColors.bold(name.padEnd(width))}  ${address}  ${state}`,
  );
  const end = file === undefined ? "nothing was sent" : `${transactions.length} transactions sent; recorded in ${file}`;
  return `\n${[...rows, `${chainId === undefined ? "any chain" : `chain ${chainId}`}: ${end}`].join("\n")}\n`;
}
