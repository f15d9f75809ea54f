// Runs a service under a constant load for minutes, and measures latencies, failures, memory, and whether each paid
// request succeeds. `npm run bench:soak`, with `-- --help` for options.
import { readFileSync } from "node:fs";

import { InvalidArgumentError, Option } from "commander";

import type { Stages } from "../packages/crosscall/src/terminal/stages.ts";
import { startProgram, stopPrograms } from "../test/integration/support/processes.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { type Measured, runBenchmark } from "./runBenchmark.ts";
import { latencyOf } from "./service/measureListing.ts";
import { type LoadResult, runLoad } from "./soak/runLoad.ts";
import { toTable } from "./table.ts";

const ORIGIN_ID = 31_337;
const DESTINATION_ID = 31_338;

interface Service {
  readonly url: string;
  readonly chains: readonly { readonly id: number; readonly rpcUrl: string }[];
}

process.exitCode = await runBenchmark({
  name: "bench:soak",
  description: "Send requests to a service on PostgreSQL at a constant rate, and pay one of them each second.",
  options: [
    new Option("--seconds <seconds>", "duration of the load").argParser(parseCount).default(600),
    new Option("--rate <rate>", "HTTP requests per second").argParser(parseCount).default(100),
  ],
  failure: "Exits with 1 if a response has a status other than 200, or a paid request does not succeed.",
  measure,
});

function parseCount(text: string): number {
  const count = Number(text);
  // At a lower rate, some seconds would have no quote.
  if (Number.isSafeInteger(count) && count >= 10) return count;
  throw new InvalidArgumentError("Use a whole number of at least 10.");
}

async function measure(stages: Stages, signal: AbortSignal, options: Record<string, unknown>): Promise<Measured> {
  const { seconds, rate } = options as { readonly seconds: number; readonly rate: number };
  const server = await startPostgres();
  try {
    const databaseUrl = await server.createDatabase();
    const service = await stages.run("Start the service", () => startService(databaseUrl));
    const { url, chains } = service.ready;
    const origin = chains.find(({ id }) => id === ORIGIN_ID);
    if (origin === undefined) throw new Error("the service reports no chain");
    /** Memory at the start, after each minute, and at the end. */
    const rssBytes: (number | undefined)[] = [];
    const result = await stages.run(`Send ${rate} requests per second for ${seconds} s`, async ({ update }) =>
      runLoad({
        baseUrl: url,
        origin,
        destinationChainId: DESTINATION_ID,
        rate,
        seconds,
        signal,
        onMinute(minute) {
          update(`minute ${minute}`);
          rssBytes.push(rssOf(service.child.pid));
        },
      }),
    );
    rssBytes.push(rssOf(service.child.pid));
    return toMeasured(result, rssBytes);
  } finally {
    await stopPrograms();
    await server.stop();
  }
}

function startService(databaseUrl: string) {
  const command = ["packages/crosscall/src/main.ts", "up", "--json", "--port", "0", "--limits", "off", "--no-oracle"];
  return startProgram(
    process.execPath,
    [...command, "--database-url", databaseUrl],
    (line) => JSON.parse(line) as Service,
  );
}

/** Returns the resident memory in bytes, or undefined if the system has no `/proc`. */
function rssOf(pid: number | undefined): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid ?? 0}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
  } catch {
    return undefined;
  }
}

function toMeasured({ times, failures, lost }: LoadResult, rssBytes: readonly (number | undefined)[]): Measured {
  const ok = failures.size === 0 && lost.length === 0;
  const kinds = Object.entries(times).map(([kind, each]) => ({ kind, count: each.length, ...latencyOf(each) }));
  const serverErrors = [...failures].reduce((sum, [what, count]) => (/^5\d\d$/u.test(what) ? sum + count : sum), 0);
  const json = { ok, kinds, serverErrors, failures: Object.fromEntries(failures), lost, rssBytes };
  const text = [
    toTable([
      ["requests", "count", "p50 ms", "p99 ms"],
      ...kinds.map(({ kind, count, p50Ms, p99Ms }) => [
        kind === "paid" ? "paid, to success" : kind,
        count.toLocaleString("en-US"),
        p50Ms.toFixed(1),
        p99Ms.toFixed(1),
      ]),
    ]),
    [
      `responses with a 5xx status: ${serverErrors}`,
      ...[...failures].map(([what, count]) => `FAILED  ${count} requests: ${what}`),
      `paid requests that succeeded: ${times.paid.length} of ${times.paid.length + lost.length}`,
      `memory of the service in MB, each minute: ${rssBytes.map(toMegabytes).join(", ")}`,
    ].join("\n"),
  ].join("\n\n");
  return { ok, json, text };
}

function toMegabytes(bytes: number | undefined): string {
  return bytes === undefined ? "unknown" : String(Math.round(bytes / 1_000_000));
}
