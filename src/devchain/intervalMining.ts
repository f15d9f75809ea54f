import { pause } from "@crosscall/sdk/internal/core/abort";
import { AbortedError } from "@crosscall/sdk/internal/core/errors";
import type { Log } from "../log.ts";
import type { ChainNode } from "./node.ts";

/** Mining at an interval. */
export interface IntervalMining {
  readonly intervalMs: number;
  /** Ends it, and waits for the block under way. */
  stop(): Promise<void>;
}

/** Mines a block each time the interval is over, as long as it is not stopped. Nodes' own intervals are whole seconds. */
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
