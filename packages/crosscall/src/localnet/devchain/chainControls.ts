import { type Address, isHash } from "viem";

import { AbortedError, ChainError, CrosscallError, pause } from "@crosscall/protocol/core";
import type { Log } from "../log.ts";
import { CHAIN_LIMITS, requireBetween } from "./chainLimits.ts";
import { createMutex } from "./mutex.ts";
import type { ChainNode } from "./node.ts";

export interface ChainState {
  readonly blockNumber: number;
  readonly blockHash: string;
  /** Milliseconds between blocks; undefined if each transaction creates a block. */
  readonly miningIntervalMs: number | undefined;
  /** Delay of each call to `rpcUrl`. */
  readonly latencyMs: number;
}

export interface MineParameters {
  /** Number of blocks, at most 1,000; 1 by default. */
  readonly blocks?: number;
}

export interface ReorgParameters {
  /** Number of blocks from 1 to 256; the blocks with the network's contracts cannot be replaced. */
  readonly blocks: number;
}

export interface MiningParameters {
  /** Milliseconds from 10 to 600,000. By default, each transaction creates a block immediately. */
  readonly intervalMs?: number | undefined;
}

export interface LatencyParameters {
  /** Milliseconds from 0 to 60,000. */
  readonly latencyMs: number;
}

/** Controls of a running chain. Each throws `InvalidInputError` for invalid values. */
export interface ChainControls {
  /** Returns the chain's current state. */
  state(): Promise<ChainState>;
  /** Adds blocks; the first includes pending transactions. */
  mine(parameters?: MineParameters): Promise<ChainState>;
  /**
   * Replaces the last blocks with the same number of empty blocks. Drops the replaced transactions and the pending
   * transactions.
   *
   * @throws {@link InvalidStateError} if the node cannot go back that far
   */
  reorg(parameters: ReorgParameters): Promise<ChainState>;
  /** Mines at an interval, or on each transaction. */
  setMining(parameters: MiningParameters): Promise<ChainState>;
  /** Delays every call to `rpcUrl`, including those of the service and the solver. */
  setLatency(parameters: LatencyParameters): Promise<ChainState>;
  /**
   * Gives an account native currency or a token of the network.
   *
   * @param currency address or symbol; the zero address is native currency
   * @param amount amount in the smallest unit, from 1 to 10^30
   */
  fund(account: Address, currency: string, amount: bigint): Promise<void>;
}

export interface ChainControlsParameters {
  readonly chainId: number;
  readonly node: ChainNode;
  /** The block with the network's contracts; a reorg cannot replace it. */
  readonly firstBlock: number;
  readonly fund: ChainControls["fund"];
  /** Block time in milliseconds; only blocks with transactions are mined. With 0, each transaction is mined at once. */
  readonly blockTimeMs: number;
  readonly log: Log;
}

/** Controls that run work in the background. */
export interface RunningControls {
  readonly controls: ChainControls;
  /** Begins to mine at the block time. */
  start(): Promise<void>;
  /** Returns whether each transaction is mined at once or at the block time; false if the user changed this. */
  minesOnDemand(): Promise<boolean>;
  close(): Promise<void>;
}

export function createChainControls(parameters: ChainControlsParameters): RunningControls {
  const { chainId, node, firstBlock, blockTimeMs, log } = parameters;
  const runExclusive = createMutex();
  let mining: Mining | undefined;

  const state = async (): Promise<ChainState> => {
    const block = await node.request("eth_getBlockByNumber", ["latest", false]);
    if (typeof block !== "object" || block === null || !("number" in block) || !("hash" in block)) {
      throw new ChainError({ message: `chain ${chainId} has no latest block`, hint: "Check its node.", chainId });
    }
    const blockHash = typeof block.hash === "string" && isHash(block.hash) ? block.hash : "";
    const miningIntervalMs = mining?.intervalMs;
    return { blockNumber: Number(block.number), blockHash, miningIntervalMs, latencyMs: node.latency.delayMs };
  };
  const setMining = async (intervalMs: number | undefined): Promise<void> => {
    await mining?.stop();
    mining = undefined;
    await node.request("evm_setAutomine", [intervalMs === undefined]);
    if (intervalMs !== undefined) mining = startIntervalMining(node, intervalMs, log);
    // Includes the transactions that are still waiting for the next interval.
    else await node.request("evm_mine");
  };
  const start = async (): Promise<void> => {
    if (blockTimeMs === 0) return;
    await node.request("evm_setAutomine", [false]);
    mining = startTimedMining(node, blockTimeMs, log);
  };
  const change = (work: () => Promise<void>): Promise<ChainState> =>
    runExclusive(async () => {
      await asChainError(chainId, work);
      return state();
    });

  const controls: ChainControls = {
    state,
    async mine({ blocks = 1 } = {}) {
      requireBetween("blocks", blocks, 1, CHAIN_LIMITS.mineBlocks);
      return change(async () => {
        for (let mined = 0; mined < blocks; mined += 1) await node.request("evm_mine");
      });
    },
    async reorg({ blocks }) {
      requireBetween("blocks", blocks, 1, CHAIN_LIMITS.reorgBlocks);
      return change(async () => {
        const { blockNumber } = await state();
        requireBetween("blocks", blocks, 1, Math.max(blockNumber - firstBlock, 0));
        await node.reorg(blocks);
      });
    },
    async setMining({ intervalMs }) {
      if (intervalMs !== undefined) {
        requireBetween("intervalMs", intervalMs, CHAIN_LIMITS.minimumIntervalMs, CHAIN_LIMITS.intervalMs);
      }
      return change(() => setMining(intervalMs));
    },
    async setLatency({ latencyMs }) {
      requireBetween("latencyMs", latencyMs, 0, CHAIN_LIMITS.latencyMs);
      node.latency.delayMs = latencyMs;
      return state();
    },
    fund: parameters.fund,
  };
  return {
    controls,
    start,
    async minesOnDemand() {
      // A node that mines at its own interval does not announce its blocks.
      if (!node.changes.isComplete) return false;
      if (mining !== undefined) return mining.intervalMs === undefined;
      return (await node.request("hardhat_getAutomine")) === true;
    },
    async close() {
      if (mining === undefined) return;
      await mining.stop();
      // Otherwise, a foreign node would stop mining when the network stops.
      await node.request("evm_setAutomine", [true]);
    },
  };
}

async function asChainError(chainId: number, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    if (cause instanceof CrosscallError) throw cause;
    throw new ChainError({
      message: `chain ${chainId} rejected a control command`,
      hint: "Check its node.",
      chainId,
      cause,
    });
  }
}

interface Mining {
  /** Milliseconds between blocks; undefined if only blocks with transactions are mined. */
  readonly intervalMs?: number;
  /** Stops mining after the block in progress. */
  stop(): Promise<void>;
}

/** Mines at an interval in milliseconds, because nodes only support intervals in whole seconds. */
function startIntervalMining(node: ChainNode, intervalMs: number, log: Log): Mining {
  const end = new AbortController();
  const mined = mine(node, intervalMs, log, end.signal);
  return {
    intervalMs,
    async stop() {
      end.abort(new AbortedError({ what: "mining" }));
      await mined;
    },
  };
}

/**
 * Mines at multiples of the block time, but only when transactions are waiting, so that an idle chain uses no CPU time.
 */
function startTimedMining(node: ChainNode, blockTimeMs: number, log: Log): Mining {
  let timer: NodeJS.Timeout | undefined;
  let work = Promise.resolve();
  const schedule = (): void => {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        // One after the other. Two at once would see the same transactions, and the second would mine an empty block.
        work = work.then(() => minePending(node, log));
      },
      blockTimeMs - (Date.now() % blockTimeMs),
    );
  };
  const unsubscribe = node.changes.subscribe(schedule);
  return {
    async stop() {
      unsubscribe();
      clearTimeout(timer);
      await work;
    },
  };
}

async function minePending(node: ChainNode, log: Log): Promise<void> {
  try {
    const pending = await node.request("eth_pendingTransactions");
    if (Array.isArray(pending) && pending.length > 0) await node.request("evm_mine");
  } catch (error) {
    log.error({ error }, "could not mine a block");
  }
}

async function mine(node: ChainNode, intervalMs: number, log: Log, signal: AbortSignal): Promise<void> {
  while (await pause(intervalMs, signal)) {
    try {
      await node.request("evm_mine");
    } catch (error) {
      log.error({ error }, "could not mine a block");
    }
  }
}
