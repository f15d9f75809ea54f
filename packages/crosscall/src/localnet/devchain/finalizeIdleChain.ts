import { numberToHex } from "viem";

import { isObject } from "@crosscall/protocol/schema";
import type { Log } from "../log.ts";
import type { FinalBlocks } from "./finalBlocks.ts";
import type { ChainNode } from "./node.ts";

/**
 * Mines an empty block once the transactions of an idle chain are old enough to be final, because the chain's time only
 * advances with its blocks.
 *
 * @returns a function that stops it
 */
export function finalizeIdleChain(node: ChainNode, final: FinalBlocks, log: Log): () => Promise<void> {
  if (final.seconds === 0) return () => Promise.resolve();
  /** Unix seconds on the chain's clock. */
  let dueAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let work = Promise.resolve();
  const check = async (): Promise<void> => {
    clearTimeout(timer);
    dueAt ??= await findDueTime(node, final);
    if (dueAt === undefined || isStopped) return;
    const { timestamp } = (await node.request("eth_getBlockByNumber", ["pending", false])) as { timestamp: string };
    const seconds = dueAt - Number(timestamp);
    if (seconds > 0) {
      timer = setTimeout(run, seconds * 1_000);
      return;
    }
    dueAt = undefined;
    await node.request("evm_mine");
  };
  const run = (): void => {
    work = work.then(check).catch((error: unknown) => log.error({ error }, "could not finalize a block"));
  };
  const unsubscribe = node.changes.subscribe((responses) => {
    // A change without a new block may have set the chain's clock.
    if (!isStopped && (dueAt === undefined || responses.length === 0)) run();
  });
  run();
  return async () => {
    isStopped = true;
    unsubscribe();
    clearTimeout(timer);
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
