import { numberToHex } from "viem";

import { InvalidStateError } from "@crosscall/protocol/core";

/** An RPC call that changed a chain. */
export interface ChainChange {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Unix seconds of the first block that the call mined; absent if the call mined no block. */
  readonly timestamp?: number;
}

/** State of a node to which a reorg can return. */
export interface Checkpoint {
  readonly height: number;
  readonly snapshotId: string;
}

/** Data that recreates a chain of this process, with the same block hashes. */
export interface ChainSnapshot {
  /** Unix seconds of the first block. */
  readonly genesisTime: number;
  readonly changes: readonly ChainChange[];
  readonly checkpoints: readonly Checkpoint[];
  /** Number and hash of the latest block. */
  readonly height: number;
  readonly head: string;
}

export interface RepeatedChain extends ChainSnapshot {
  /** Unix seconds at which the node's clock resumes, unless the last block is later. */
  readonly time: number;
}

export type Request = (method: string, params?: readonly unknown[]) => Promise<unknown>;

/** RPC methods that change nothing. */
const READS: ReadonlySet<string> = new Set(["hardhat_metadata", "hardhat_getAutomine", "hardhat_addCompilationResult"]);

export function changesChain(method: string): boolean {
  return /^(?:evm|hardhat)_|^eth_send/u.test(method) && !READS.has(method);
}

export interface BlockFacts {
  readonly number: number;
  readonly hash: string;
  /** Unix seconds. */
  readonly timestamp: number;
}

export async function readBlock(request: Request, number?: number): Promise<BlockFacts> {
  const tag = number === undefined ? "latest" : numberToHex(number);
  const block = (await request("eth_getBlockByNumber", [tag, false])) as Record<
    "hash" | "number" | "timestamp",
    string
  >;
  return { number: Number(block.number), hash: block.hash, timestamp: Number(block.timestamp) };
}

/**
 * Replays the changes of a chain on a new node whose first block has the same time. The node derives its random values
 * from the sequence of its calls, so each block gets its original hash.
 *
 * @throws {@link InvalidStateError} if the blocks differ
 */
export async function repeatChanges(request: Request, { changes, head, time }: RepeatedChain): Promise<void> {
  for (const { method, params, timestamp } of changes) {
    if (timestamp !== undefined) await request("evm_setNextBlockTimestamp", [numberToHex(timestamp)]);
    // Failed calls are part of the sequence. The comparison of the last block detects any other failure.
    await request(method, structuredClone(params)).catch(() => undefined);
  }
  const { hash } = await readBlock(request);
  if (hash === head) return continueAt(request, time);
  throw new InvalidStateError({
    message: `the last block of the snapshot's chain is ${head}, but its replay ends with ${hash}`,
    hint: "Load the snapshot with the version of crosscall that saved it.",
  });
}

async function continueAt(request: Request, time: number): Promise<void> {
  const { timestamp } = (await request("eth_getBlockByNumber", ["pending", false])) as { readonly timestamp: string };
  const seconds = time - Number(timestamp);
  if (seconds > 0) await request("evm_increaseTime", [numberToHex(seconds)]);
}
