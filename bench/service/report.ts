import { toTable } from "../table.ts";
import type { FamilyPlan, FamilyTiming, Latency } from "./measureListing.ts";
import type { RequestCost } from "./requestCost.ts";

/** Measured parts. */
export interface Report {
  readonly requests: readonly RequestCost[] | undefined;
  readonly listings: ListingReport | undefined;
}

/** Results of listings. */
export interface ListingReport {
  readonly count: number;
  /** Times over HTTP with fewer requests in the database. */
  readonly growth: readonly {
    readonly count: number;
    readonly families: readonly Pick<FamilyTiming, "name" | "service">[];
    readonly plans: readonly FamilyPlan[];
  }[];
  readonly families: readonly FamilyTiming[];
  readonly plans: readonly FamilyPlan[];
  readonly paging: { readonly first: Latency; readonly deep: Latency; readonly depth: number };
  /** Pages per second, with eight concurrent clients. */
  readonly pagesPerSecond: number;
  /** Time from calling `localnet()` to the first quote, with an in-memory database. */
  readonly firstQuoteMs: number;
}

/** A limit and the measured value. */
export interface Bar {
  readonly name: string;
  readonly atMost: number;
  readonly measured: number;
  readonly isMet: boolean;
}

/** Compares the results with their limits. */
export function judge({ requests, listings }: Report): Bar[] {
  return [
    ...(requests === undefined ? [] : judgeRequests(requests)),
    ...(listings === undefined ? [] : judgeListings(listings)),
  ];
}

/** Unlike requests per second, CPU time does not depend on other work on the machine. */
function judgeRequests(requests: readonly RequestCost[]): Bar[] {
  const [alone, ...shared] = requests.filter(({ cpuMs }) => cpuMs !== undefined && cpuMs.database > 0);
  if (alone?.cpuMs === undefined) return [];
  const total = ({ cpuMs }: RequestCost): number => (cpuMs === undefined ? NaN : cpuMs.service + cpuMs.database);
  return [
    bar("service: ms of CPU per request", 35, alone.cpuMs.service),
    bar("PostgreSQL: ms of CPU per request", 20, alone.cpuMs.database),
    ...shared.map((cost) =>
      bar(`${cost.name}: CPU per request, relative to one process`, 1.15, total(cost) / total(alone)),
    ),
  ];
}

function judgeListings({ families, paging, firstQuoteMs }: ListingReport): Bar[] {
  return [
    ...families.map(({ name, limitMs, service }) => bar(`${name}: p99 in ms`, limitMs, service.p99Ms)),
    ...families.map(({ name, service, bare }) =>
      bar(`${name}: p50, relative to plain SQL`, 2, service.p50Ms / bare.p50Ms),
    ),
    // Allows the variation between two measurements of the same page.
    bar("deep pages: p50, relative to the first pages", 1.25, paging.deep.p50Ms / paging.first.p50Ms),
    bar("start to first quote in ms", 5_000, firstQuoteMs),
  ];
}

function bar(name: string, atMost: number, measured: number): Bar {
  return { name, atMost, measured, isMet: measured <= atMost };
}

const LEGEND = `
service      GET /requests/v3 over HTTP on loopback, 20 records a page, one client.
bare         The same statements through the database client, alternating with the service, in the same process.
deep         Pages of 50 far after the first, reached by cursors.
requests     Concurrent quotes, deposits and waits. In memory, database and chains are in the service's process.
rows, plan   Of the statements of one page, as the database explains them; the service reads a status by a prepared statement.
includeTotal Counts all matches. Its cost grows with the number of matches, so it has no limit.
`;

/** Formats the report as text. */
export function toText({ requests, listings }: Report, bars: readonly Bar[]): string {
  const missed = bars.filter(({ isMet }) => !isMet);
  return [
    ...(requests === undefined ? [] : [requestsTable(requests)]),
    ...(listings === undefined ? [] : listingTables(listings)),
    [
      `limits: ${bars.length - missed.length} of ${bars.length} met`,
      ...missed.map(({ name, atMost, measured }) => `MISSED  ${measured.toFixed(2)}, at most ${atMost}: ${name}`),
    ].join("\n"),
    LEGEND.trim(),
  ].join("\n\n");
}

function requestsTable(requests: readonly RequestCost[]): string {
  return toTable([
    ["requests from quote to success", "per second", "CPU ms: service", "database", "chains"],
    ...requests.map(({ name, requestsPerSecond, cpuMs }) => [
      name,
      ms(requestsPerSecond),
      ...(cpuMs === undefined ? ["", "", ""] : [cpuMs.service, cpuMs.database, cpuMs.chains].map(ms)),
    ]),
  ]);
}

function listingTables(report: ListingReport): string[] {
  const { count, families, plans, paging, pagesPerSecond, firstQuoteMs } = report;
  const filters = toTable([
    [`${count.toLocaleString("en-US")} records, ms`, "service p50", "p99", "bare p50", "p99", "p50 ratio"],
    ...families.map(({ name, service, bare }) => [
      name,
      ...[service.p50Ms, service.p99Ms, bare.p50Ms, bare.p99Ms].map(ms),
      (service.p50Ms / bare.p50Ms).toFixed(2),
    ]),
  ]);
  const sizes = [...report.growth.toSorted((left, right) => left.count - right.count), report];
  const heads = sizes.map((one) => one.count.toLocaleString("en-US"));
  const growth = toTable([
    ["p50 / p99 ms by records", ...heads],
    ...families.map(({ name }) => [
      name,
      ...sizes.map((one) => {
        const latency = one.families.find((family) => family.name === name)?.service;
        return latency === undefined ? "" : `${ms(latency.p50Ms)} / ${ms(latency.p99Ms)}`;
      }),
    ]),
  ]);
  const planned = toTable([
    ["rows read / plan ms by records", ...heads],
    ...plans.map(({ name }) => [
      name,
      ...sizes.map((one) => {
        const plan = one.plans.find((other) => other.name === name);
        return plan === undefined ? "" : `${plan.rows} / ${ms(plan.planMs)}`;
      }),
    ]),
  ]);
  const pages = toTable([
    ["pages of 50, ms", "p50", "p99"],
    ["first pages", ms(paging.first.p50Ms), ms(paging.first.p99Ms)],
    [`after page ${paging.depth}`, ms(paging.deep.p50Ms), ms(paging.deep.p99Ms)],
  ]);
  const others = [
    `pages per second, eight clients: ${ms(pagesPerSecond)}`,
    `start to first quote: ${Math.round(firstQuoteMs)} ms`,
  ].join("\n");
  return [filters, ...(sizes.length === 1 ? [] : [growth]), planned, pages, others];
}

function ms(value: number): string {
  return value.toFixed(1);
}
