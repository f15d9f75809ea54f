import { join } from "node:path";

import { type Address, numberToHex } from "viem";

import { ChainError, CrosscallError } from "@crosscall/protocol/core";
import { createFork, type Engine, environmentAfter, type Fork, mineFirst } from "./fork.ts";
import { startEdrEngine } from "./edrEngine.ts";
import { readSource } from "./sourceFacts.ts";
import { openRpcCacheProxy, StateUnavailableError } from "./rpcCacheProxy.ts";
import { createMemoryCache, openRemoteCache } from "./remoteCache.ts";
import { createUpstream, type RpcCall } from "./upstream.ts";

export interface ForkParameters {
  readonly rpcUrl: string;
  /** Required chain id; any chain by default. */
  readonly chainId?: number | undefined;
  /** Last forked block; the latest block by default. */
  readonly blockNumber?: bigint | undefined;
  /** Folder to cache chain reads in; in memory by default. */
  readonly cacheFolder?: string | undefined;
  /** Accounts that are prefetched together at the start. */
  readonly accounts?: readonly Address[] | undefined;
  /** Timeout of each response; 30 seconds by default. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 30_000;

/**
 * Forks a chain after a block, in this process. Fills run in the next block, with its real time, base fee and
 * randomness if it exists. The chain itself is never changed.
 *
 * @throws {@link WrongChainError} if the URL serves another chain
 * @throws {@link InvalidInputError} if the chain has no such block
 * @throws {@link StateUnavailableError} if the node has pruned the state; also by later calls
 * @throws {@link ChainError} if the chain does not respond; also by later calls
 * @throws {@link AbortedError} when the signal fires; also by later calls
 */
export async function openFork(parameters: ForkParameters): Promise<Fork> {
  const { fork } = await openBareFork(parameters);
  return mineFirst(fork);
}

/** Opens a fork without a prepared next block, to run an existing block again. */
export async function openBareFork({
  rpcUrl,
  chainId: expectedChainId,
  blockNumber,
  cacheFolder,
  accounts = [],
  timeoutMs = TIMEOUT_MS,
  signal,
}: ForkParameters) {
  const stop = new AbortController();
  const stopping = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  const upstream = createUpstream({ rpcUrl, chainId: expectedChainId, timeoutMs, signal: stopping });
  const source = await readSource({ upstream, rpcUrl, chainId: expectedChainId, blockNumber, cacheFolder });
  const { chainId, kind, header, next } = source;
  const environment = environmentAfter(header, next);
  const cache =
    cacheFolder === undefined
      ? createMemoryCache()
      : await openRemoteCache(join(cacheFolder, String(chainId)), header.hash);
  cache.keep("eth_getBlockByNumber", [numberToHex(header.number), false], source.block);
  const proxy = await openRpcCacheProxy({ upstream, cache, chainId, blockNumber: header.number });

  /** Engines wrap failures of the upstream in their own errors. */
  const explain = (error: unknown): unknown => {
    const failure = proxy.takeFailure();
    if (failure instanceof CrosscallError) return failure;
    return error;
  };

  try {
    const distinct = [...new Set([...accounts, environment.miner].map((account) => account.toLowerCase()))];
    // Reads the block first, because the engine ends the process if it cannot read the block.
    const unread = await proxy.fetch([{ method: "eth_getBlockByNumber", params: [numberToHex(header.number), true] }]);
    if (unread instanceof Error) throw unread;
    const failure = await proxy.fetch(distinct.flatMap((account) => accountReads(account, header.number)));
    // Ignores other failures, because the engine reads the accounts again one at a time.
    if (failure instanceof StateUnavailableError) throw failure;
  } catch (error) {
    await proxy.close();
    throw error;
  }

  let engine: Engine;
  try {
    engine = await startEdrEngine({
      url: proxy.url,
      chainId,
      kind,
      blockNumber: header.number,
      rules: next ?? header,
      gasLimit: environment.gasLimit,
    });
  } catch (cause) {
    const explained = explain(cause);
    await proxy.close();
    throw explained instanceof CrosscallError
      ? explained
      : new ChainError({
          message: `the fork of chain ${chainId} could not be started: ${String(cause)}`,
          hint: "Check that the RPC URL belongs to a node of an EVM chain.",
          chainId,
          cause,
        });
  }

  const fork = createFork({
    chainId,
    block: header,
    environment,
    engine,
    sent: () => upstream.sent,
    explain,
    async close() {
      stop.abort();
      await engine.close();
      await proxy.close();
    },
    signal,
  });
  return {
    fork,
    /** Reads immutable data from the chain. */
    readRemote: async (method: string, params: readonly unknown[]): Promise<unknown> => {
      const failure = await proxy.fetch([{ method, params }]);
      if (failure instanceof Error) throw failure;
      return cache.read(method, params);
    },
  };
}

/** Requests for everything that an engine reads from an account, except its storage. */
function accountReads(account: string, blockNumber: bigint): RpcCall[] {
  const params = [account, numberToHex(blockNumber)];
  return ["eth_getBalance", "eth_getTransactionCount", "eth_getCode"].map((method) => ({ method, params }));
}
