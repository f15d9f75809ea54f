import { type Address, createPublicClient, custom, defineChain, type Hex, numberToHex, type PublicClient } from "viem";
import { abortable, throwIfAborted } from "@crosscall/protocol/core";

import type { BlockHeader } from "./blockHeader.ts";

/** A node with mutable state: a fork, or a test network. */
export interface StateNode {
  request(method: string, params?: readonly unknown[]): Promise<unknown>;
}

export interface Engine {
  /** @throws {@link EngineError} if the node rejects the call */
  request(method: string, params?: readonly unknown[]): Promise<unknown>;
  close(): Promise<void>;
}

/** An error response from the node. It never leaves the fork in a changed state. */
export class EngineError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(parameters: { readonly code: number; readonly message: string; readonly data?: unknown }) {
    super(parameters.message);
    this.code = parameters.code;
    this.data = parameters.data;
  }
}

export interface BlockEnvironment {
  readonly number: bigint;
  /** Unix seconds. */
  readonly timestamp: bigint;
  /** Wei. */
  readonly baseFeePerGas: bigint;
  readonly gasLimit: bigint;
  readonly miner: Address;
  readonly mixHash: Hex;
}

/** Returns the environment of the block after the forked block: the real block's, or a plausible one. */
export function environmentAfter(header: BlockHeader, next: BlockHeader | undefined): BlockEnvironment {
  return next ?? { ...header, number: header.number + 1n, timestamp: header.timestamp + 1n };
}

async function prepareBlock(node: StateNode, environment: BlockEnvironment): Promise<void> {
  await node.request("evm_setNextBlockTimestamp", [numberToHex(environment.timestamp)]);
  await node.request("hardhat_setNextBlockBaseFeePerGas", [numberToHex(environment.baseFeePerGas)]);
  await node.request("hardhat_setCoinbase", [environment.miner]);
  await node.request("hardhat_setPrevRandao", [environment.mixHash]);
  await node.request("evm_setBlockGasLimit", [numberToHex(environment.gasLimit)]);
}

interface ForkBlock {
  readonly number: bigint;
  readonly hash: Hex;
  /** Unix seconds. */
  readonly timestamp: bigint;
  /** Wei. */
  readonly baseFeePerGas: bigint;
  readonly gasLimit: bigint;
}

/** A fork of a chain. Changes never reach the chain itself. */
export interface Fork {
  readonly chainId: number;
  readonly block: ForkBlock;
  /** Environment of the block that fills run in. */
  readonly environment: BlockEnvironment;
  /** Reads the fork's current state. */
  readonly client: PublicClient;
  /** Sends any JSON-RPC request, including Hardhat's methods to change state. */
  request(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Prepares the fork's next block with `environment`. */
  prepareBlock(): Promise<void>;
  /** Number of HTTP requests to the forked chain so far. */
  readonly remoteCalls: number;
  /** Runs a function and reverts its effects on the fork. */
  isolate<Result>(run: () => Promise<Result>): Promise<Result>;
  /** Closes the fork. The cache on disk is kept. */
  close(): Promise<void>;
}

interface CreateForkParameters {
  readonly chainId: number;
  readonly block: ForkBlock;
  readonly environment: BlockEnvironment;
  readonly engine: Engine;
  /** Returns the number of HTTP requests to the forked chain so far. */
  readonly sent: () => number;
  /** Converts an engine failure to the kit's errors. */
  readonly explain: (error: unknown) => unknown;
  readonly close: () => Promise<void>;
  readonly signal: AbortSignal | undefined;
}

export function createFork(parameters: CreateForkParameters): Fork {
  const { chainId, block, environment, engine, sent, explain, close, signal } = parameters;
  const request = async (method: string, params: readonly unknown[] = []): Promise<unknown> => {
    throwIfAborted(signal, "the replay");
    try {
      return await abortable(engine.request(method, params), signal, "the replay");
    } catch (error) {
      throw explain(error);
    }
  };
  return {
    chainId,
    block,
    environment,
    client: createPublicClient({
      chain: defineChain({
        id: chainId,
        name: `Fork of ${chainId}`,
        nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
        rpcUrls: { default: { http: [] } },
      }),
      transport: custom(
        { request: ({ method, params }: { method: string; params?: unknown[] }) => request(method, params) },
        { retryCount: 0 },
      ),
      cacheTime: 0,
    }),
    request,
    get remoteCalls() {
      return sent();
    },
    prepareBlock: () => prepareBlock({ request }, environment),
    async isolate(run) {
      const snapshot = await request("evm_snapshot");
      try {
        return await run();
      } finally {
        // Runs even after an abort, because a later caller needs a clean state.
        await engine.request("evm_revert", [snapshot]).catch((error: unknown) => {
          if (!(error instanceof EngineError)) throw error;
        });
      }
    },
    close,
  };
}

/** Mines a block with the environment for fills. Closes the fork if mining fails. */
export async function mineFirst(fork: Fork): Promise<Fork> {
  try {
    await fork.prepareBlock();
    await fork.request("evm_mine");
    return fork;
  } catch (error) {
    await fork.close();
    throw error;
  }
}
