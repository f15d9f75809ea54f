import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

import { InvalidInputError } from "@crosscall/protocol/core";
import { describeDeployment } from "../commands/deploy/run.ts";
import { runDeployment } from "../commands/deploy/runDeployment.ts";
import { confirm } from "../terminal/confirm.ts";
import { interruptOnCtrlC } from "../terminal/interrupt.ts";
import { Stages } from "../terminal/stages.ts";
import { asPluginError, firstKeyOf, lastingUrl, requireNetwork } from "./projectNetwork.ts";
import { writeOutput } from "../terminal/output.ts";

const TIMEOUT_MS = 30 * 60_000;

interface DeployArguments {
  readonly names: readonly string[];
  readonly parameters: string | undefined;
  readonly folder: string | undefined;
  readonly dryRun: boolean;
  readonly yes: boolean;
}

/** Runs `hardhat crosscall deploy`. */
export function runDeployTask(
  { names, parameters, folder, dryRun, yes }: DeployArguments,
  hre: HardhatRuntimeEnvironment,
): Promise<void> {
  return asPluginError(async () => {
    const network = requireNetwork(hre);
    const rpcUrl = await lastingUrl(network);
    // Does not read the key in a dry run, which must not prompt for a keystore password.
    const privateKey = dryRun ? undefined : await firstKeyOf(network);
    if (privateKey === undefined && !dryRun) throw noKey(network.name);
    using interrupt = interruptOnCtrlC();
    const { signal } = interrupt;
    const outcome = await runDeployment(
      {
        rpcUrl,
        privateKey,
        privateKeyField: `networks.${network.name}.accounts[0]`,
        chainId: network.config.chainId,
        parametersPath: parameters,
        only: names,
        isDryRun: dryRun,
        confirmations: undefined,
        timeoutMs: TIMEOUT_MS,
        folder,
        root: hre.config.paths.root,
        explorer: undefined,
        confirm: yes ? undefined : (question) => confirm(question, "the deployment", signal),
      },
      new Stages({ isSilent: false, signal }),
      signal,
    );
    writeOutput(describeDeployment(outcome));
  });
}

function noKey(name: string): InvalidInputError {
  return new InvalidInputError({
    field: `networks.${name}.accounts`,
    value: undefined,
    reason: "the deployment requires a private key",
    hint: 'Set accounts: [configVariable("…")] or a mnemonic in hardhat.config.ts, or pass --dry-run.',
  });
}
