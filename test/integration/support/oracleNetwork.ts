import {
  type Account,
  type Address,
  encodeAbiParameters,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  recoverTypedDataAddress,
  toFunctionSelector,
} from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { getBlock, sendTransaction, waitForTransactionReceipt } from "viem/actions";

import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { type ChainClient, chainClient } from "../../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { ChainContracts } from "../../../packages/crosscall/src/localnet/devchain/contracts.ts";
import { startEdrChain } from "../../../packages/crosscall/src/localnet/devchain/edr.ts";
import type { ChainNode } from "../../../packages/crosscall/src/localnet/devchain/node.ts";
import { prepareOwnChain } from "../../../packages/crosscall/src/localnet/devchain/prepareChain.ts";
import type { AdditionalData, ChainConfig, HubConfig } from "../../../packages/oracle/src/chainFiles.ts";
import type { OracleConfiguration } from "../../../packages/oracle/src/config/loadConfiguration.ts";
import type { OracleSettings } from "../../../packages/oracle/src/config/settings.ts";
import { createOracleLog } from "../../../packages/oracle/src/log.ts";
import { type Oracle, startOracle, type StartOracleOptions } from "../../../packages/oracle/src/startOracle.ts";
import { EXECUTION_TYPES, executionDomain } from "../../../packages/protocol/src/attestation/index.ts";

/** Name of the test chain in orders. */
export const CHAIN = "local";
const CHAIN_ID = 31_337;

export const ORACLE_KEY: Hex = `0x${"5a".repeat(32)}`;
export const ORACLE_SIGNER = privateKeyToAddress(ORACLE_KEY).toLowerCase();
export const ORACLE_CONTRACT: Address = "0x795f9464ee05a34fe1e18925ca4e4753dcd60058";

/** Transaction from the user or another account. */
export interface TestTransaction {
  readonly to: Address;
  readonly data?: Hex;
  readonly value?: bigint;
  readonly account?: Account;
}

/** Chain with the depository and the router, which several oracles can read. */
export interface OracleNetwork {
  readonly rpcUrl: string;
  readonly contracts: ChainContracts;
  readonly client: ChainClient<Account>;
  /** Sends a transaction from the user or another account, and waits until it is mined. */
  send(transaction: TestTransaction): Promise<Hex>;
  /** Sends a transaction that reverts in its block. */
  sendReverting(transaction: TestTransaction): Promise<Hex>;
  /** Mines blocks with the same timestamp, `seconds` after the latest block's. */
  mine(blocks: number, seconds: number): Promise<void>;
  /** Calls a nonstandard RPC method that local nodes support. */
  control(method: string, params: unknown[]): Promise<unknown>;
  /** Sets the balance of an account on the stand-in for the hub. */
  setHubBalance(account: Address, tokenId: bigint, amount: bigint): Promise<void>;
  close(): Promise<void>;
}

/**
 * Code that returns its own address for `HUB()`. For any other call, it returns the storage at the hash of the two
 * arguments.
 */
const HUB_CODE: Hex = [
  "0x5f3560e01c63",
  toFunctionSelector("HUB()").slice(2),
  "14601f57604060045f3760405f20545f5260205ff35b305f5260205ff3",
].join("") as Hex;

/** Starts the chain, by default in this process. */
export async function startOracleNetwork(
  startNode: (chainId: number) => Promise<ChainNode> = startEdrChain,
): Promise<OracleNetwork> {
  const chain = await startNode(CHAIN_ID);
  const contracts = await prepareOwnChain(CHAIN_ID, chain);
  const client = chainClient(CHAIN_ID, chain.rpcUrl, localAccounts.user);
  const control = (method: string, params: unknown[]): Promise<unknown> =>
    (client.request as (call: { method: string; params: unknown[] }) => Promise<unknown>)({ method, params });
  await control("hardhat_setCode", [ORACLE_CONTRACT, HUB_CODE]);
  return {
    rpcUrl: chain.rpcUrl,
    contracts,
    client,
    control,
    close: () => chain.close(),
    async send({ account = localAccounts.user, ...transaction }) {
      const hash = await sendTransaction(client, { ...transaction, account });
      await waitForTransactionReceipt(client, { hash });
      return hash;
    },
    async sendReverting(transaction) {
      // With automine, a node rejects a transaction that would revert.
      await control("evm_setAutomine", [false]);
      const hash = await sendTransaction(client, { ...transaction, gas: 500_000n });
      await control("hardhat_mine", []);
      await control("evm_setAutomine", [true]);
      return hash;
    },
    async mine(blocks, seconds) {
      const { timestamp } = await getBlock(client);
      await control("evm_setNextBlockTimestamp", [numberToHex(timestamp + BigInt(seconds))]);
      await control("hardhat_mine", [numberToHex(blocks), "0x0"]);
    },
    async setHubBalance(account, tokenId, amount) {
      const slot = keccak256(encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [account, tokenId]));
      await control("hardhat_setStorageAt", [ORACLE_CONTRACT, slot, pad(numberToHex(amount))]);
    },
  };
}

/** Options that differ from those of a test's default oracle. */
export interface TestOracleOptions extends Partial<StartOracleOptions> {
  readonly settings?: Partial<OracleSettings>;
  readonly additionalData?: AdditionalData;
  readonly rpcUrl?: string;
  readonly chain?: Partial<ChainConfig>;
  readonly hub?: Partial<HubConfig>;
  readonly disabledChains?: OracleConfiguration["disabledChains"];
  /** Second configured name of the chain. */
  readonly twin?: string;
}

/** Starts an oracle on the chain. By default, every block is final immediately. */
export function startTestOracle(
  network: { readonly rpcUrl: string; readonly contracts: { readonly depository: Address } },
  options: TestOracleOptions = {},
): Promise<Oracle> {
  const { additionalData = { finalizationBlocks: 0, finalizationTime: 0 }, rpcUrl = network.rpcUrl } = options;
  const { disabledChains = {} } = options;
  const chain: ChainConfig = {
    id: CHAIN,
    vmType: "ethereum-vm",
    httpRpcUrl: rpcUrl,
    depository: network.contracts.depository,
    additionalData,
    ...options.chain,
  };
  return startOracle(
    {
      settings: {
        environment: "test",
        signing: { module: "raw-private-key", privateKey: ORACLE_KEY },
        apiKeys: undefined,
        peers: [],
        peerTimeoutMs: 60_000,
        signers: undefined,
        signersThreshold: 0,
        port: 0,
        workers: 1,
        rateLimit: { max: 100_000, windowMs: 1_000 },
        version: undefined,
        ...options.settings,
      },
      disabledChains,
      chains: options.twin === undefined ? [chain] : [chain, { ...chain, id: options.twin }],
      hub: {
        id: "relay",
        evmChainId: CHAIN_ID,
        httpRpcUrl: network.rpcUrl,
        oracleAddress: ORACLE_CONTRACT,
        oracleVersion: "2",
        ...options.hub,
      },
    },
    {
      log: options.log ?? createOracleLog("silent"),
      ...(options.clock === undefined ? {} : { clock: options.clock }),
      ...(options.connectionLimits === undefined ? {} : { connectionLimits: options.connectionLimits }),
    },
  );
}

/** Response from an oracle. */
export interface OracleResponse<Body> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
}

/** Sends a request to a route of an oracle. */
export async function ask<Body = { message: string }>(
  oracle: Pick<Oracle, "url">,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<OracleResponse<Body>> {
  const response = await fetch(`${oracle.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Body, headers: response.headers };
}

/** Returns the lowercase signers of an execution for the test's hub. */
export function executionSigners(execution: {
  readonly idempotencyKey: string;
  readonly actions: readonly string[];
  readonly signatures: readonly { readonly signature: string }[];
}): Promise<string[]> {
  const message = { idempotencyKey: execution.idempotencyKey as Hex, actions: execution.actions as Hex[] };
  return Promise.all(
    execution.signatures.map(async ({ signature }) => {
      const signer = await recoverTypedDataAddress({
        domain: executionDomain({ oracleVersion: "2", evmChainId: CHAIN_ID, oracleAddress: ORACLE_CONTRACT }),
        types: EXECUTION_TYPES,
        primaryType: "Execution",
        message,
        signature: signature as Hex,
      });
      return signer.toLowerCase();
    }),
  );
}
