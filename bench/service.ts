// Speed of the local service with 10,000, 100,000 and 1,000,000 requests on PostgreSQL: latencies of each filter and of
// deep pages, over HTTP and as plain SQL, and time of requests from quote to success. `npm run bench:service`, with `--
// --help` for options.
import { InvalidArgumentError, Option } from "commander";

import type { Stages } from "../packages/crosscall/src/terminal/stages.ts";
import { type Localnet, localnet } from "../packages/crosscall/src/localnet/index.ts";
import type { Caller } from "../packages/crosscall/src/localnet/service/keys/keyRing.ts";
import { hashApiKey } from "../packages/crosscall/src/localnet/store/hashApiKey.ts";
import { stopPrograms } from "../test/integration/support/processes.ts";
import { type PostgresServer, startPostgres } from "../test/support/postgres.ts";
import { type Measured, runBenchmark } from "./runBenchmark.ts";
import { readFamilies } from "./service/families.ts";
import { fetchPage } from "./service/fetchPage.ts";
import { explainFamilies, latencyOf, timeFamily, timeOf, timeService } from "./service/measureListing.ts";
import { judge, type ListingReport, type Report, toText } from "./service/report.ts";
import { measureRequestCosts } from "./service/requestCost.ts";
import { quote, withRequests } from "./service/withRequests.ts";

const COUNTS = [10_000, 100_000, 1_000_000];
const SAMPLES = 60;
/** Samples per family at the smaller numbers of requests. */
const GROWTH_SAMPLES = 20;
const PAGE_SIZE = 50;
const DEPTH = 400;
const REQUESTS = 400;

process.exitCode = await runBenchmark({
  name: "bench:service",
  description: "Measure the local service with up to a million requests on PostgreSQL, compared with plain SQL.",
  options: [
    new Option(
      "--counts <counts>",
      "numbers of requests to measure with, separated by commas; all measurements run only with the last one",
    )
      .argParser(parseCounts)
      .default(COUNTS, COUNTS.join(",")),
    new Option("--only <part>", "measure only requests from quote to success, or only listings").choices([
      "requests",
      "listings",
    ]),
  ],
  failure: "Exits with 1 if a limit is missed.",
  measure,
});

function parseCounts(text: string): number[] {
  const counts = text.split(",").map(Number);
  if (counts.every((count) => Number.isSafeInteger(count) && count >= 1_000)) return counts;
  throw new InvalidArgumentError("Use whole numbers of at least 1000, separated by commas.");
}

async function measure(
  stages: Stages,
  signal: AbortSignal,
  { counts, only }: Record<string, unknown>,
): Promise<Measured> {
  const server = await startPostgres("shared_buffers=1GB", "maintenance_work_mem=256MB", "max_wal_size=8GB");
  try {
    const requests = only === "listings" ? undefined : await measureRequestCosts(stages, server, REQUESTS, signal);
    const listings =
      only === "requests" ? undefined : await measureListings(stages, server, counts as readonly number[], signal);
    const report: Report = { requests, listings };
    const bars = judge(report);
    const ok = bars.every(({ isMet }) => isMet);
    return { ok, json: { ok, ...report, bars }, text: toText(report, bars) };
  } finally {
    await stopPrograms();
    await server.stop();
  }
}

async function measureListings(
  stages: Stages,
  server: PostgresServer,
  counts: readonly number[],
  signal: AbortSignal,
): Promise<ListingReport> {
  const firstQuoteMs = await stages.run("Start an in-memory network and request the first quote", () =>
    timeOf(startAndQuote),
  );
  const [count = 0, ...smaller] = counts.toReversed();
  const growth = [];
  for (const few of smaller.toReversed()) {
    const measured = await withRequests(stages, server, few, (network, pool) =>
      stages.run("Time filters", async ({ update }) => {
        const all = await readFamilies(pool, network.apiKey, SAMPLES);
        const families = [];
        for (const family of all) {
          update(family.name);
          families.push(
            await timeService(network, { ...family, queries: family.queries.slice(0, GROWTH_SAMPLES) }, signal),
          );
        }
        return { families, plans: await explainFamilies(pool, callerOf(network), all) };
      }),
    );
    growth.push({ count: few, ...measured });
  }
  return { count, growth, ...(await measureListing(stages, server, count, signal)), firstQuoteMs };
}

function callerOf({ apiKey }: Localnet): Caller {
  const keyHash = hashApiKey(apiKey);
  return {
    keyHash,
    integrator: "bench",
    ownKeyHashes: new Set([keyHash]),
    ownKeyNames: new Map<string, string>(),
    limits: {},
  };
}

function measureListing(
  stages: Stages,
  server: PostgresServer,
  count: number,
  signal: AbortSignal,
): Promise<Pick<ListingReport, "families" | "plans" | "paging" | "pagesPerSecond">> {
  return withRequests(stages, server, count, async (network, pool) => {
    const families = await readFamilies(pool, network.apiKey, SAMPLES);
    const caller = callerOf(network);
    return stages.run("Time filters and pages", async ({ update }) => {
      const timings = [];
      for (const family of families) {
        update(family.name);
        timings.push(await timeFamily(network, pool, caller, family, signal));
      }
      update("pages");
      const depth = Math.min(DEPTH, Math.floor(count / PAGE_SIZE / 2));
      const plans = await explainFamilies(pool, caller, families);
      return {
        families: timings,
        plans,
        paging: await timePages(network, depth),
        pagesPerSecond: await countPages(network),
      };
    });
  });
}

async function timePages(network: Localnet, depth: number): Promise<ListingReport["paging"]> {
  const times: number[] = [];
  let continuation: string | undefined;
  for (let page = 0; page < depth + 50; page += 1) {
    const query = { limit: PAGE_SIZE, ...(continuation === undefined ? {} : { continuation }) };
    let body = "";
    times.push(await timeOf(async () => (body = await fetchPage(network, query))));
    ({ continuation } = JSON.parse(body) as { continuation?: string });
  }
  // The first pages are excluded, because they also fill caches.
  return { first: latencyOf(times.slice(10, 60)), deep: latencyOf(times.slice(depth)), depth };
}

async function countPages(network: Localnet): Promise<number> {
  const clients = 8;
  const each = 100;
  const elapsedMs = await timeOf(() =>
    Promise.all(
      Array.from({ length: clients }, async () => {
        for (let page = 0; page < each; page += 1) await fetchPage(network, { status: "success" });
      }),
    ),
  );
  return (clients * each) / (elapsedMs / 1_000);
}

async function startAndQuote(): Promise<void> {
  await using network = await localnet();
  await quote(network);
}
