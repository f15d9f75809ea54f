import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type Address, type Hex, parseEther, toHex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";

import {
  type DeploymentOptions,
  type DeploymentOutcome,
  runDeployment,
} from "../../../packages/crosscall/src/commands/deploy/runDeployment.ts";
import { Stages } from "../../../packages/crosscall/src/terminal/stages.ts";
import { CrosscallError } from "../../../packages/protocol/src/core/errors.ts";
import { chainClient } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { ChainContracts } from "../../../packages/crosscall/src/localnet/devchain/contracts.ts";
import { startEdrChain } from "../../../packages/crosscall/src/localnet/devchain/edr.ts";
import type { ChainNode } from "../../../packages/crosscall/src/localnet/devchain/node.ts";
import { prepareChain } from "../../../packages/crosscall/src/localnet/devchain/prepareChain.ts";
import { failureOf } from "./failureOf.ts";
import { stopPrograms } from "./processes.ts";

/** Deployer for a test, with its own key and a folder for deployment records. */
export interface Deployer {
  readonly privateKey: Hex;
  readonly address: Address;
  readonly folder: string;
  readonly parametersPath: string;
  /** Funds the deployer with native currency on a chain. */
  fund(rpcUrl: string, wei?: bigint): Promise<void>;
  /** Returns the number of transactions that the deployer sent on a chain. */
  sent(rpcUrl: string): Promise<number>;
  deploy(rpcUrl: string | undefined, options?: Partial<DeploymentOptions>): Promise<DeploymentOutcome>;
  /** Returns the code and fields of a deployment error, without the stage error that wraps it. */
  refused(rpcUrl: string | undefined, options?: Partial<DeploymentOptions>): Promise<Record<string, unknown>>;
  /** Returns the text of a chain's record. */
  record(chainId: number): Promise<string>;
  remove(): Promise<void>;
}

/** Creates a deployer with a parameters file. */
export async function createDeployer(parameters: unknown): Promise<Deployer> {
  const folder = await mkdtemp(join(tmpdir(), "crosscall-deploy-"));
  const parametersPath = join(folder, "parameters.json");
  await writeFile(parametersPath, JSON.stringify(parameters));
  const privateKey = generatePrivateKey();
  const address = privateKeyToAddress(privateKey);

  function deploy(rpcUrl: string | undefined, options: Partial<DeploymentOptions> = {}): Promise<DeploymentOutcome> {
    const { signal } = new AbortController();
    const defaults: DeploymentOptions = {
      rpcUrl,
      privateKey,
      chainId: undefined,
      parametersPath,
      only: [],
      isDryRun: false,
      confirmations: undefined,
      timeoutMs: 600_000,
      folder,
      explorer: undefined,
      confirm: undefined,
    };
    return runDeployment({ ...defaults, ...options }, new Stages({ isSilent: true, signal }), signal);
  }

  return {
    privateKey,
    address,
    folder,
    parametersPath,
    fund: (rpcUrl, wei = parseEther("10")) => askNode(rpcUrl, "hardhat_setBalance", [address, toHex(wei)]),
    sent: (rpcUrl) => chainClient(1, rpcUrl).getTransactionCount({ address }),
    deploy,
    async refused(rpcUrl, options) {
      const error = await failureOf(deploy(rpcUrl, options));
      const inner = error instanceof CrosscallError && error.code === "STAGE_FAILED" ? error.cause : error;
      if (!(inner instanceof CrosscallError)) throw inner;
      return inner.toJSON();
    },
    record: (chainId) => readFile(join(folder, `${chainId}.json`), "utf8"),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Chains and deployers for a test file, closed together. */
export interface DeploymentBench {
  /** Starts a chain as an operator would find it, with the factory, the service's contracts, and a vault. */
  readonly startChain: (chainId: number) => Promise<{ readonly rpcUrl: string; readonly contracts: ChainContracts }>;
  /** Starts a chain without contracts. */
  readonly startBareChain: (chainId: number) => Promise<string>;
  /** Creates a deployer for the standard contracts and the requested contracts. */
  readonly deployerOf: (...requests: unknown[]) => Promise<Deployer>;
  readonly close: () => Promise<void>;
}

/** Creates the chains and deployers for a test file, which must close them. */
export function createDeploymentBench(): DeploymentBench {
  const chains: ChainNode[] = [];
  const deployers: Deployer[] = [];
  const startBareChain = async (chainId: number): Promise<string> => {
    const chain = await startEdrChain(chainId);
    chains.push(chain);
    return chain.rpcUrl;
  };
  return {
    startBareChain,
    async startChain(chainId) {
      const rpcUrl = await startBareChain(chainId);
      return { rpcUrl, contracts: await prepareChain(chainId, rpcUrl) };
    },
    async deployerOf(...requests) {
      const deployer = await createDeployer({ contracts: requests });
      deployers.push(deployer);
      return deployer;
    },
    async close() {
      // A fork keeps a connection to its chain, so closing the chain waits for the fork.
      await stopPrograms();
      await Promise.all(chains.map((chain) => chain.close()));
      await Promise.all(deployers.map((deployer) => deployer.remove()));
    },
  };
}

/** Calls a nonstandard RPC method that local nodes support. */
export async function askNode(rpcUrl: string, method: string, params: unknown[]): Promise<void> {
  const client = chainClient(1, rpcUrl);
  await (client.request as (call: { method: string; params: unknown[] }) => Promise<unknown>)({ method, params });
}
