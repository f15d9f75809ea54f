import { HardhatPluginError } from "hardhat/plugins";
import type { HttpNetworkAccountsConfig, NetworkConfig } from "hardhat/types/config";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import { type Hex, toHex } from "viem";
import { mnemonicToAccount } from "viem/accounts";

import { CrosscallError, InvalidInputError } from "@crosscall/protocol/core";
import { describeFailure } from "../terminal/reportError.ts";

/** Runs a task, and converts the kit's errors to Hardhat errors, so that Hardhat prints the hint and no stack. */
export async function asPluginError(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof CrosscallError)) throw error;
    throw new HardhatPluginError("crosscall", describeFailure(error).join("\n"), error);
  }
}

export interface ProjectNetwork {
  readonly name: string;
  readonly config: NetworkConfig;
}

/** Returns the network that `--network` selects. */
export function requireNetwork({ config, globalOptions }: HardhatRuntimeEnvironment): ProjectNetwork {
  // Hardhat's type hides that the option may be missing.
  const name: unknown = globalOptions.network;
  const found = typeof name === "string" && Object.hasOwn(config.networks, name) ? config.networks[name] : undefined;
  if (typeof name === "string" && found !== undefined) return { name, config: found };
  throw new InvalidInputError({
    field: "--network",
    value: name,
    reason: name === undefined ? "the task requires a chain" : "the project has no network with this name",
    hint: `Pass one of ${Object.keys(config.networks).join(", ")}.`,
  });
}

/** Returns the endpoint of an HTTP network, or the endpoint that a simulated network forks. */
export async function forkableUrl({ name, config }: ProjectNetwork): Promise<string> {
  if (config.type === "http") return config.url.getUrl();
  if (config.forking?.enabled === true) return config.forking.url.getUrl();
  throw new InvalidInputError({
    field: "--network",
    value: name,
    reason: "the network is a new chain in this process, without fills to replay",
    hint: "Pass a network of type http, or one with `forking`.",
  });
}

/** Returns the endpoint of a chain that outlives the task. */
export async function lastingUrl({ name, config }: ProjectNetwork): Promise<string> {
  if (config.type === "http") return config.url.getUrl();
  throw new InvalidInputError({
    field: "--network",
    value: name,
    reason: "the network is a chain in this process, which ends with the task",
    hint: "Pass a network of type http. In tests, deploy with `crosscallModule` of crosscall/hardhat/ignition.",
  });
}

/** Returns the network's first private key, or undefined if it has none. */
export async function firstKeyOf({ config }: ProjectNetwork): Promise<string | undefined> {
  if (config.type !== "http" || config.accounts === "remote") return undefined;
  return "mnemonic" in config.accounts ? keyOfMnemonic(config.accounts) : config.accounts[0]?.getHexString();
}

async function keyOfMnemonic({
  mnemonic,
  passphrase,
  path,
  initialIndex,
}: Exclude<HttpNetworkAccountsConfig, "remote" | readonly unknown[]>): Promise<Hex | undefined> {
  const account = mnemonicToAccount(await mnemonic.get(), {
    passphrase: await passphrase.get(),
    path: `${path}/${initialIndex}` as `m/44'/60'/${string}`,
  });
  const { privateKey } = account.getHdKey();
  return privateKey === null ? undefined : toHex(privateKey);
}
