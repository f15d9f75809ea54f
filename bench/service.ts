// Speed of the local service with 10,000, 100,000 and 1,000,000 requests on PostgreSQL: each filter and deep pages over HTTP and as bare
// SQL, and requests from quote to success. `npm run bench:service`, with `-- --help` for options.
import { InvalidArgumentError, Option } from "commander";

import type { Stages } from "../scripts/terminal/stages.ts";
import { type Localnet, localnet } from "../src/localnet/index.ts";
import { hashApiKey } from "../src/store/hashApiKey.ts";
import { startAnvil, startProgram, stopPrograms } from "../test/integration/support/processes.ts";
import { type PostgresServer, startPostgres } from "../test/support/postgres.ts";
import { type Measured, runBenchmark } from "./runBenchmark.ts";
import { runEndToEnd } from "./service/endToEnd.ts";
import { readFamilies } from "./service/families.ts";
import { fetchPage } from "./service/fetchPage.ts";
import { latencyOf, timeFamily, timeOf, timeService } from "./service/measureListing.ts";
import { judge, type Report, toText } from "./service/report.ts";
import { quote, withRequests } from "./service/withRequests.ts";

const COUNTS = [10_000, 100_000, 1_000_000];
const SAMPLES = 60;
/** Of each family with fewer requests. */
const GROWTH_SAMPLES = 20;
const PAGE_SIZE = 50;
const DEPTH = 400;
const END_TO_END_COUNT = 100;

process.exitCode = await runBenchmark({
  name: "bench:service",
  description: "Measure the local service with up to a million requests on PostgreSQL, compared with plain SQL.",
  options: [
    new Option("--counts <counts>", "numbers of requests, separated by commas; the last one is measured in full")
      .argParser(parseCounts)
      .default(COUNTS, COUNTS.join(",")),
  ],
  failure: "Exits with 1 if a limit is missed.",
  measure,
});

function parseCounts(text: string): number[] {
  const counts = text.split(",").map(Number);
  if (counts.every((count) => Number.isSafeInteger(count) && count >= 1_000)) return counts;
  throw new InvalidArgumentError("Use whole numbers of at least 1000, separated by commas.");
}

async function measure(stages: Stages, signal: AbortSignal, { counts }: Record<string, unknown>): Promise<Measured> {
  const firstQuoteMs = await stages.run("Start an in-memory network and request the first quote", () =>
    timeOf(startAndQuote),
  );
  const server = await startPostgres("shared_buffers=1GB", "maintenance_work_mem=256MB", "max_wal_size=8GB");
  try {
    const endToEnd = [
      { name: "in memory", requestsPerSecond: await stages.run("Fill requests in memory", () => fillInMemory(signal)) },
      ...(await stages.run("Fill requests with one and with two processes on PostgreSQL", () =>
        fillShared(server, signal),
      )),
    ];
    const [count = 0, ...smaller] = (counts as readonly number[]).toReversed();
    const growth = [];
    for (const few of smaller.toReversed()) {
      const timings = await withRequests(stages, server, few, (network, pool) =>
        stages.run("Time filters", async ({ update }) => {
          const families = await readFamilies(pool, network.apiKey, SAMPLES);
          const times = [];
          for (const family of families) {
            update(family.name);
            times.push(
              await timeService(network, { ...family, queries: family.queries.slice(0, GROWTH_SAMPLES) }, signal),
            );
          }
          return times;
        }),
      );
      growth.push({ count: few, families: timings });
    }
    const listing = await measureListing(stages, server, count, signal);
    const report: Report = { count, growth, ...listing, endToEnd, firstQuoteMs };
    const bars = judge(report);
    const ok = bars.every(({ isMet }) => isMet);
    return { ok, json: { ok, ...report, bars }, text: toText(report, bars) };
  } finally {
    await stopPrograms();
    await server.stop();
  }
}

function measureListing(
  stages: Stages,
  server: PostgresServer,
  count: number,
  signal: AbortSignal,
): Promise<Pick<Report, "families" | "paging" | "pagesPerSecond">> {
  return withRequests(stages, server, count, async (network, pool) => {
    const families = await readFamilies(pool, network.apiKey, SAMPLES);
    const keyHash = hashApiKey(network.apiKey);
    const caller = {
      keyHash,
      integrator: "bench",
      ownKeyHashes: new Set([keyHash]),
      ownKeyNames: new Map<string, string>(),
      limits: {},
    };
    return stages.run("Time filters and pages", async ({ update }) => {
      const timings = [];
      for (const family of families) {
        update(family.name);
        timings.push(await timeFamily(network, pool, caller, family, signal));
      }
      update("pages");
      const depth = Math.min(DEPTH, Math.floor(count / PAGE_SIZE / 2));
      return { families: timings, paging: await timePages(network, depth), pagesPerSecond: await countPages(network) };
    });
  });
}

async function timePages(network: Localnet, depth: number): Promise<Report["paging"]> {
  const times: number[] = [];
  let continuation: string | undefined;
  for (let page = 0; page < depth + 50; page += 1) {
    const query = { limit: PAGE_SIZE, ...(continuation === undefined ? {} : { continuation }) };
    let body = "";
    times.push(await timeOf(async () => (body = await fetchPage(network, query))));
    ({ continuation } = JSON.parse(body) as { continuation?: string });
  }
  // The very first pages also fill caches.
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

async function fillInMemory(signal: AbortSignal): Promise<number> {
  await using network = await localnet({ limits: "off" });
  const [origin, destination] = network.chains;
  return await runEndToEnd({
    baseUrls: [network.url],
    origin,
    destinationChainId: destination.id,
    count: END_TO_END_COUNT,
    signal,
  });
}

/** Runs one process and then two, with separate chains and a separate database. */
async function fillShared(server: PostgresServer, signal: AbortSignal): Promise<Report["endToEnd"]> {
  const [originNode, destinationNode] = await Promise.all([startAnvil(31_337), startAnvil(31_338)]);
  const databaseUrl = await server.createDatabase();
  const start = async (): Promise<string> => {
    const nodes = ["--chain", `31337=${originNode.ready}`, "--chain", `31338=${destinationNode.ready}`];
    const command = ["scripts/crosscall.ts", "up", "--json", "--port", "0", "--limits", "off"];
    const program = await startProgram(
      process.execPath,
      [...command, "--database-url", databaseUrl, ...nodes],
      (line) => (JSON.parse(line) as { url: string }).url,
    );
    return program.ready;
  };
  const run = (baseUrls: readonly string[]): Promise<number> =>
    runEndToEnd({
      baseUrls,
      origin: { id: 31_337, rpcUrl: originNode.ready },
      destinationChainId: 31_338,
      count: END_TO_END_COUNT,
      signal,
    });
  const first = await start();
  const alone = await run([first]);
  const together = await run([first, await start()]);
  return [
    { name: "PostgreSQL, one process", requestsPerSecond: alone },
    { name: "PostgreSQL, two processes", requestsPerSecond: together },
  ];
}
