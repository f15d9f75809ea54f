import { type Address, isHash } from "viem";

import { ChainError, CrosscallError } from "@crosscall/sdk/internal/core/errors";
import type { Log } from "../log.ts";
import { CHAIN_LIMITS, requireBetween } from "./chainLimits.ts";
import { startIntervalMining, type IntervalMining } from "./intervalMining.ts";
import { createMutex } from "./mutex.ts";
import type { ChainNode } from "./node.ts";

/** How a chain is now. */
export interface ChainState {
  readonly blockNumber: number;
  readonly blockHash: string;
  /** Time between blocks; undefined where each transaction makes one. */
  readonly miningIntervalMs: number | undefined;
  /** What every call of `rpcUrl` waits. */
  readonly latencyMs: number;
}

/** What {@link ChainControls.mine} takes. */
export interface MineParameters {
  /** One when left out; 1000 at most. */
  readonly blocks?: number;
}

/** What {@link ChainControls.reorg} takes. */
export interface ReorgParameters {
  /** From 1 to 256, and no further back than the network's own contracts. */
  readonly blocks: number;
}

/** What {@link ChainControls.setMining} takes. */
export interface MiningParameters {
  /** From 10 to 600000; left out, each transaction makes a block at once. */
  readonly intervalMs?: number | undefined;
}

/** What {@link ChainControls.setLatency} takes. */
export interface LatencyParameters {
  /** From 0 to 60000. */
  readonly latencyMs: number;
}

/** Controls of a running chain. Each throws `InvalidInputError` for invalid values. */
export interface ChainControls {
  /** How the chain is now. */
  state(): Promise<ChainState>;
  /** Adds blocks, with the transactions that wait in the first. */
  mine(parameters?: MineParameters): Promise<ChainState>;
  /**
   * Replaces the last blocks by as many empty ones: their transactions never happened, those that wait are dropped, and
   * the heights have other hashes.
   *
   * @throws {@link InvalidStateError} when the node cannot take them back
   */
  reorg(parameters: ReorgParameters): Promise<ChainState>;
  /** Mines at an interval, or at once. */
  setMining(parameters: MiningParameters): Promise<ChainState>;
  /** Makes every call of `rpcUrl` wait: those of the service, the solver and of everybody else. */
  setLatency(parameters: LatencyParameters): Promise<ChainState>;
  /**
   * Gives an account native or any token of the network, whatever it has: nothing is needed of it.
   *
   * @param currency address or symbol; the zero address is native
   * @param amount smallest unit, from 1 to 10^30
   */
  fund(account: Address, currency: string, amount: bigint): Promise<void>;
}

/** What {@link createChainControls} takes. */
export interface ChainControlsParameters {
  readonly chainId: number;
  readonly node: ChainNode;
  /** The block that holds the network's own contracts: nothing goes back before it. */
  readonly firstBlock: number;
  readonly fund: ChainControls["fund"];
  readonly log: Log;
}

/** Controls that do their work until they are closed. */
export interface RunningControls {
  readonly controls: ChainControls;
  close(): Promise<void>;
}

/** The controls of a chain. */
export function createChainControls(parameters: ChainControlsParameters): RunningControls {
  const { chainId, node, firstBlock, log } = parameters;
  const runExclusive = createMutex();
  let mining: IntervalMining | undefined;

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
    // What waited for the interval waits for nobody now.
    else await node.request("evm_mine");
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
    async close() {
      if (mining === undefined) return;
      await mining.stop();
      // A node that goes on without the network would never mine again.
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
