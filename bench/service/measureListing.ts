import { Kysely, PostgresDialect } from "kysely";
import type pg from "pg";

import { throwIfAborted } from "../../packages/protocol/src/core/abort.ts";
import type { Localnet } from "../../packages/crosscall/src/localnet/index.ts";
import type { Caller } from "../../packages/crosscall/src/localnet/service/keys/keyRing.ts";
import { readPage } from "../../packages/crosscall/src/localnet/service/listing/listing.ts";
import { parseListingV3 } from "../../packages/crosscall/src/localnet/service/listing/parseListingV3.ts";
import { listRequests } from "../../packages/crosscall/src/localnet/store/requests/listRequests.ts";
import { findRequestState } from "../../packages/crosscall/src/localnet/store/requests/requests.ts";
import type { StoreSchema } from "../../packages/crosscall/src/localnet/store/schema.ts";
import { listTransactions } from "../../packages/crosscall/src/localnet/store/transactions.ts";
import { explain, type Plan } from "./explain.ts";
import type { Family, Query } from "./families.ts";
import { fetchPage } from "./fetchPage.ts";

/** Latency in milliseconds. */
export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Latencies of a filter family over HTTP, and of the same statements sent directly to the database. */
export interface FamilyTiming {
  readonly name: string;
  readonly limitMs: number;
  readonly service: Latency;
  readonly bare: Latency;
}

/** Query plan of a family's first page, or of another read. */
export interface FamilyPlan extends Plan {
  readonly name: string;
}

/** Explains the statements of one page per family, and those of a status request. */
export async function explainFamilies(
  pool: pg.Pool,
  caller: Caller,
  families: readonly Family[],
): Promise<readonly FamilyPlan[]> {
  const plans: FamilyPlan[] = [];
  for (const { name, queries } of families) {
    const [query] = queries;
    if (query !== undefined) plans.push({ name, ...(await explain(pool, await statementsOf(pool, query, caller))) });
  }
  const { rows } = await pool.query<{ id: string }>("select id from request_ids limit 1");
  const status = await recordStatements(pool, (db) => findRequestState(db, rows[0]?.id ?? ""));
  return [...plans, { name: "status of a request", ...(await explain(pool, status)) }];
}

/** Times a family over HTTP only. */
export async function timeService(
  network: Localnet,
  { name, queries }: Family,
  signal: AbortSignal,
): Promise<Pick<FamilyTiming, "name" | "service">> {
  const times: number[] = [];
  for (const [index, query] of [...queries.slice(0, WARM_UP), ...queries].entries()) {
    throwIfAborted(signal, "the benchmark");
    const elapsedMs = await timeOf(() => fetchPage(network, query));
    if (index >= WARM_UP) times.push(elapsedMs);
  }
  return { name, service: latencyOf(times) };
}

/** A statement that the service sends. */
interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Number of warm-up requests per family, which open connections and fill caches. */
const WARM_UP = 10;

/** Times the same pages of a family through the service and as plain SQL, alternately. */
export async function timeFamily(
  network: Localnet,
  pool: pg.Pool,
  caller: Caller,
  { name, limitMs, queries }: Family,
  signal: AbortSignal,
): Promise<FamilyTiming> {
  const service: number[] = [];
  const bare: number[] = [];
  for (const [index, query] of [...queries.slice(0, WARM_UP), ...queries].entries()) {
    throwIfAborted(signal, "the benchmark");
    const statements = await statementsOf(pool, query, caller);
    const serviceMs = await timeOf(() => fetchPage(network, query));
    const bareMs = await timeOf(async () => {
      for (const { sql, parameters } of statements) await pool.query(sql, [...parameters]);
    });
    if (index < WARM_UP) continue;
    service.push(serviceMs);
    bare.push(bareMs);
  }
  return { name, limitMs, service: latencyOf(service), bare: latencyOf(bare) };
}

/** Returns the statements that the service sends for a page. */
function statementsOf(pool: pg.Pool, query: Query, caller: Caller): Promise<readonly Statement[]> {
  return recordStatements(pool, async (db) => {
    const { rows } = await readPage(db, parseListingV3(query, caller), listRequests);
    await listTransactions(
      db,
      rows.map(({ id }) => id),
    );
  });
}

async function recordStatements(
  pool: pg.Pool,
  work: (db: Kysely<StoreSchema>) => Promise<unknown>,
): Promise<readonly Statement[]> {
  const statements: Statement[] = [];
  const db = new Kysely<StoreSchema>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query: statement }) => {
      statements.push(statement);
    },
  });
  await work(db);
  return statements;
}

/** Returns the duration of `work`, in milliseconds. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Returns the median and the 99th percentile of durations. */
export function latencyOf(times: readonly number[]): Latency {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}
