import type { Etherscan, EtherscanVerifyArgs } from "@nomicfoundation/hardhat-verify/types";
import type { HardhatPlugin } from "hardhat/types/plugins";
import { size, slice } from "viem";

import { PACKAGE_FOLDER, readBuildInfo } from "../../artifacts.ts";
import { creationCode } from "@crosscall/protocol/chains";
import { ChainError, InvalidStateError, sleep, throwIfAborted } from "@crosscall/protocol/core";
import { HARDHAT_ERRORS, isHardhatError } from "./hardhatError.ts";
import type { PlannedContract } from "./plan.ts";

const { CONTRACT_ALREADY_VERIFIED, CONTRACT_VERIFICATION_MISSING_BYTECODE } = HARDHAT_ERRORS;

// Milliseconds to wait for the explorer, which sees a block later than the node.
const MAX_OFFERS = 6;
const OFFER_INTERVAL_MS = 5_000;

/** Etherscan's API, version 2. */
export interface Explorer {
  readonly apiKey: string;
  /** URL of the explorer's API. Both URLs are undefined if Etherscan itself supports the chain. */
  readonly apiUrl?: string;
  readonly url?: string;
}

export interface VerifySourcesParameters {
  readonly chainId: number;
  readonly rpcUrl: string;
  readonly explorer: Explorer;
  readonly contracts: readonly PlannedContract[];
  readonly signal: AbortSignal;
  readonly onVerified: (contract: PlannedContract, url: string) => void;
}

/**
 * Loads Hardhat's plugin, which only deployments with verification need.
 *
 * @throws {@link InvalidStateError} if the plugin is not installed, or only its version for Hardhat 2
 */
export async function loadVerifier(): Promise<HardhatPlugin> {
  let cause: unknown;
  try {
    await import("hardhat/hre");
    const { default: plugin } = await import("@nomicfoundation/hardhat-verify");
    // Version 2 is a plugin for Hardhat 2.
    if (typeof (plugin as Partial<HardhatPlugin> | undefined)?.id === "string") return plugin;
  } catch (error) {
    cause = error;
  }
  throw new InvalidStateError({
    message: "Hardhat and version 3 of its plugin hardhat-verify, which verify sources, cannot be loaded",
    hint: "Install them: `npm install --save-dev hardhat @nomicfoundation/hardhat-verify@3`, or omit --verify.",
    cause,
  });
}

/** Submits sources to a block explorer and waits for their verification. */
export async function verifySources(parameters: VerifySourcesParameters): Promise<void> {
  const { chainId, rpcUrl, explorer, contracts, signal, onVerified } = parameters;
  // Only deployments with verification need Hardhat.
  const { createHardhatRuntimeEnvironment } = await import("hardhat/hre");
  const hardhat = await createHardhatRuntimeEnvironment(
    {
      plugins: [await loadVerifier()],
      networks: { target: { type: "http", url: rpcUrl, chainId } },
      verify: { etherscan: { apiKey: explorer.apiKey } },
      ...(explorer.apiUrl === undefined
        ? {}
        : {
            chainDescriptors: {
              [chainId]: {
                name: `Chain ${chainId}`,
                blockExplorers: { etherscan: { url: explorer.url ?? explorer.apiUrl, apiUrl: explorer.apiUrl } },
              },
            },
          }),
    },
    {},
    PACKAGE_FOLDER,
  );
  const connection = await hardhat.network.create("target");
  const { etherscan } = connection.verification;
  try {
    for (const contract of contracts) {
      throwIfAborted(signal, "the verification");
      const reason = await verifyOne(etherscan, contract, signal);
      if (reason !== undefined) throw notVerified(chainId, explorer, reason);
      onVerified(contract, await etherscan.getContractUrl(contract.address));
    }
  } catch (cause) {
    throw isHardhatError(cause) ? notVerified(chainId, explorer, cause.message) : cause;
  } finally {
    await connection.close();
  }
}

function notVerified(chainId: number, { apiKey }: Explorer, reason: string): ChainError {
  return new ChainError({
    message: `the explorer of chain ${chainId} did not verify the sources: ${reason.replaceAll(apiKey, "…")}`,
    hint: "Check the explorer's API key and URL, then run the command with --verify again: finished deployments and verifications are kept.",
    chainId,
  });
}

/** @returns why the explorer rejects the sources, or undefined if they are verified */
async function verifyOne(
  etherscan: Etherscan,
  contract: PlannedContract,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { artifact, address } = contract;
  if (await etherscan.isVerified(address)) return undefined;
  const name = `${artifact.inputSourceName}:${artifact.contractName}`;
  try {
    const guid = await offer(etherscan, contract, name, signal);
    const { success, message } = await etherscan.pollVerificationStatus(guid, address, name);
    return success ? undefined : message;
  } catch (error) {
    if (!isHardhatError(error, [CONTRACT_ALREADY_VERIFIED])) throw error;
    return undefined;
  }
}

/** Submits the sources, and retries until the explorer has seen the contract's block. */
async function offer(
  etherscan: Etherscan,
  { artifact, build, args, address }: PlannedContract,
  contractName: string,
  signal: AbortSignal,
): Promise<string> {
  const { input, solcLongVersion } = readBuildInfo(artifact, build);
  const deployment = creationCode({ artifact, args });
  const hasArguments = size(deployment) > size(artifact.bytecode);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await etherscan.verify({
        contractAddress: address,
        // Hardhat's type requires fields that the compiler does not.
        compilerInput: input as EtherscanVerifyArgs["compilerInput"],
        contractName,
        compilerVersion: `v${solcLongVersion}`,
        constructorArguments: hasArguments ? slice(deployment, size(artifact.bytecode)).slice(2) : "",
      });
    } catch (error) {
      const isTooEarly = isHardhatError(error, [CONTRACT_VERIFICATION_MISSING_BYTECODE]);
      if (!isTooEarly || attempt === MAX_OFFERS) throw error;
      await sleep(OFFER_INTERVAL_MS, signal, "the wait for the explorer");
    }
  }
}
