import { AbortedError, pause } from "@crosscall/protocol/core";
import type { Log } from "../log.ts";
import type { ChainNode } from "./node.ts";

export interface IntervalMining {
  readonly intervalMs: number;
  /** Waits for the block in progress. */
  stop(): Promise<void>;
}

/** Nodes themselves only support intervals in whole seconds. */
export function startIntervalMining(node: ChainNode, intervalMs: number, log: Log): IntervalMining {
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

async function mine(node: ChainNode, intervalMs: number, log: Log, signal: AbortSignal): Promise<void> {
  while (await pause(intervalMs, signal)) {
    try {
      await node.request("evm_mine");
    } catch (error) {
      log.error({ error }, "could not mine a block");
    }
  }
}
