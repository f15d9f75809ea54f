import { numberToHex } from "viem";

import { isObject } from "@crosscall/protocol/schema";
import type { Log } from "../log.ts";
import type { FinalBlocks } from "./finalBlocks.ts";
import type { ChainNode } from "./node.ts";

/** Pause after a failed call, for example on a fork whose upstream did not respond. */
const RETRY_MS = 1_000;

export interface FinalizeParameters {
  readonly node: ChainNode;
  readonly final: FinalBlocks;
  /** Whether the network mines blocks for transactions. Otherwise, the user decides when a block is mined. */
  readonly minesOnDemand: () => Promise<boolean>;
  readonly log: Log;
}

/**
 * Mines an empty block once the transactions of an idle chain are old enough to be final, because the chain's time only
 * advances with its blocks.
 *
 * @returns a function that stops it
 */
export function finalizeIdleChain({ node, final, minesOnDemand, log }: FinalizeParameters): () => Promise<void> {
  if (final.seconds === 0) return () => Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let work = Promise.resolve();
  const schedule = (delayMs: number): void => {
    timer = setTimeout(run, delayMs);
  };
  const check = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (isStopped || !(await minesOnDemand())) return;
    const dueAt = await findDueTime(node, final);
    if (dueAt === undefined) return;
    const { timestamp } = (await node.request("eth_getBlockByNumber", ["pending", false])) as { timestamp: string };
    const seconds = dueAt - Number(timestamp);
    if (seconds > 0) schedule(seconds * 1_000);
    // Blocks that were mined in the meantime announced a change, which checks again.
    else if ((await findDueTime(node, final)) === dueAt) await node.request("evm_mine");
  };
  const run = (): void => {
    work = work.then(check).catch((error: unknown) => {
      log.error({ error }, "could not finalize a block");
      schedule(RETRY_MS);
    });
  };
  const unsubscribe = node.changes.subscribe((responses) => {
    // A change without a new block may have set the chain's clock.
    if (!isStopped && (timer === undefined || responses.length === 0)) run();
  });
  run();
  return async () => {
    isStopped = true;
    unsubscribe();
    await work;
    clearTimeout(timer);
  };
}

/** Returns when the first block with transactions that is not final yet can become final, or undefined without one. */
async function findDueTime(node: ChainNode, final: FinalBlocks): Promise<number | undefined> {
  const latest = Number(await node.request("eth_blockNumber"));
  for (let number = (await final.find("finalized")) + 1; number <= latest; number += 1) {
    const block = await node.request("eth_getBlockByNumber", [numberToHex(number), false]);
    if (isObject(block) && Array.isArray(block.transactions) && block.transactions.length > 0) {
      return Number(block.timestamp) + final.seconds;
    }
  }
  return undefined;
}
