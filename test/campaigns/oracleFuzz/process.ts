import { monitorEventLoopDelay } from "node:perf_hooks";

import type { OracleConfiguration } from "../../../packages/oracle/src/config/loadConfiguration.ts";
import { createOracleLog } from "../../../packages/oracle/src/log.ts";
import { startOracle } from "../../../packages/oracle/src/startOracle.ts";

/** Measurements since the last report. */
export interface Sample {
  /** Measured after garbage collection. */
  readonly heapBytes: number;
  readonly rssBytes: number;
  readonly longestDelayMs: number;
  /** Types and messages of the errors behind responses with status 500. */
  readonly failures: readonly string[];
}

// Runs the oracle in its own process, reports its URL, and then reports measurements. Exits with its parent. Requires
// --expose-gc.
interface LoggedError {
  readonly route?: string;
  readonly error?: { readonly type: string; readonly message: string; readonly stack: string };
}

let failures: string[] = [];
const log = createOracleLog("error", {
  write(line) {
    const { route, error } = JSON.parse(line) as LoggedError;
    if (error !== undefined) failures.push(`${error.type}: ${error.message} (${route}) ${error.stack}`);
  },
});
const oracle = await startOracle(JSON.parse(process.argv[2] ?? "") as OracleConfiguration, { log });
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
process.on("message", () => {
  const longestDelayMs = delay.max / 1e6;
  global.gc?.();
  const { heapUsed: heapBytes, rss: rssBytes } = process.memoryUsage();
  const sample: Sample = { heapBytes, rssBytes, longestDelayMs, failures };
  failures = [];
  process.send?.(sample, () => setTimeout(() => delay.reset(), 20));
});
process.on("disconnect", () => process.exit());
process.send?.({ url: oracle.url });
