import { startRpcRecorder } from "../../test/integration/support/rpcRecorder.ts";
import type { Contender } from "./contenders.ts";
import type { Filled, Job } from "./job.ts";

/** Speed of a contender. */
export interface Rate {
  readonly name: string;
  readonly delayMs: number;
  /** Number of filled amounts. */
  readonly count: number;
  /** Time from a cold start to the first fill, in milliseconds. */
  readonly firstMs: number;
  /** Fills per second after the first, including all work after the last. */
  readonly perSecond: number;
  /** Fills per second from a cold start. */
  readonly coldPerSecond: number;
  readonly filled: readonly Filled[];
}

/** Measures a contender from a cold start, on a chain that delays each response. */
export async function measureContender(contender: Contender, all: Job, delayMs: number): Promise<Rate> {
  const job = { ...all, amounts: all.amounts.slice(0, contender.amounts(delayMs, all.amounts.length)) };
  const proxy = await startRpcRecorder(job.chain.rpcUrl, delayMs);
  try {
    const started = performance.now();
    let first = started;
    const filled = await contender.fill(job, proxy.url, () => {
      if (first === started) first = performance.now();
    });
    const ended = performance.now();
    const count = job.amounts.length;
    const isAtOnce = ended - first < 1;
    return {
      name: contender.name,
      delayMs,
      count,
      firstMs: first - started,
      perSecond: isAtOnce ? Number.NaN : ((count - 1) / (ended - first)) * 1_000,
      coldPerSecond: (count / (ended - started)) * 1_000,
      filled,
    };
  } finally {
    await proxy.close();
  }
}
