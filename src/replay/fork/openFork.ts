import { join } from "node:path";

import { type Address, numberToHex } from "viem";

import { ChainError, CrosscallError } from "@crosscall/sdk/internal/core/errors";
import { environmentAfter } from "./blockEnvironment.ts";
import { createFork } from "./createFork.ts";
import { startEdrEngine } from "./edrEngine.ts";
import type { Engine } from "./engine.ts";
import type { Fork } from "./fork.ts";
import { readSource } from "./sourceFacts.ts";
import { openRpcCacheProxy } from "./upstream/rpcCacheProxy.ts";
import { createMemoryCache, openRemoteCache } from "./upstream/remoteCache.ts";
import { StateUnavailableError } from "./upstream/stateUnavailableError.ts";
import { createUpstream, type RpcCall } from "./upstream/upstream.ts";

/** What {@link openFork} takes. */
export interface ForkParameters {
  readonly rpcUrl: string;
  /** Which chain it must be; any when left out. */
  readonly chainId?: number | undefined;
  /** The block after which the fork begins; the latest when left out. */
  readonly blockNumber?: bigint | undefined;
  /** Where what is read of the chain is kept for the next run; only in memory when left out. */
  readonly cacheFolder?: string | undefined;
  /** Whom the fills on it will touch: they are read together at the start, and not one after the other. */
  readonly accounts?: readonly Address[] | undefined;
  /** How long the chain may take for one answer; 30 seconds when left out. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 30_000;

/**
 * Copies a chain as it was after a block, in this process. Fills run in the block after it, with the time, the base fee
 * and the randomness that it really had, where it is there. The chain is only ever read.
 *
 * @throws {@link WrongChainError} when the URL is of another chain
 * @throws {@link InvalidInputError} when the chain has no such block
 * @throws {@link StateUnavailableError} when the node has pruned it; also by each later call
 * @throws {@link ChainError} when the chain does not answer; also by each later call
 * @throws {@link AbortedError} when the signal fires; also by each later call
 */
export async function openFork(parameters: ForkParameters): Promise<Fork> {
  const { fork } = await openBareFork(parameters);
  try {
    await fork.prepareBlock();
    await fork.request("evm_mine");
    return fork;
  } catch (error) {
    await fork.close();
    throw error;
  }
}

/** A fork whose next block is still to be made: for what runs a block again as it was. */
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

  /** Engines hide why they could not read the chain in errors of their own. */
  const explain = (error: unknown): unknown => {
    const failure = proxy.takeFailure();
    if (failure instanceof CrosscallError) return failure;
    return error;
  };

  try {
    const distinct = [...new Set([...accounts, environment.miner].map((account) => account.toLowerCase()))];
    const refusal = await proxy.fetch(distinct.flatMap((account) => accountReads(account, header.number)));
    // Of other refusals the engine learns when it asks for one after the other.
    if (refusal instanceof StateUnavailableError) throw refusal;
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
          message: `a fork of chain ${chainId} could not be started: ${String(cause)}`,
          hint: "Check that the RPC URL is that of an EVM chain's node.",
          chainId,
          cause,
        });
  }

  const fork = createFork({
    chainId,
    block: header,
    environment,
    engine,
    upstream,
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
    /** Reads something of the chain itself that never changes. */
    readRemote: async (method: string, params: readonly unknown[]): Promise<unknown> => {
      const refusal = await proxy.fetch([{ method, params }]);
      if (refusal instanceof Error) throw refusal;
      return cache.read(method, params);
    },
  };
}

/** All that an engine asks of an account but its storage. */
function accountReads(account: string, blockNumber: bigint): RpcCall[] {
  const params = [account, numberToHex(blockNumber)];
  return ["eth_getBalance", "eth_getTransactionCount", "eth_getCode"].map((method) => ({ method, params }));
}
