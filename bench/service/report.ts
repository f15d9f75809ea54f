import { toTable } from "../table.ts";
import type { FamilyTiming, Latency } from "./measureListing.ts";

/** All results. */
export interface Report {
  readonly count: number;
  /** Latencies through the service with fewer requests. */
  readonly growth: readonly {
    readonly count: number;
    readonly families: readonly Pick<FamilyTiming, "name" | "service">[];
  }[];
  readonly families: readonly FamilyTiming[];
  readonly paging: { readonly first: Latency; readonly deep: Latency; readonly depth: number };
  /** Pages per second with eight concurrent clients. */
  readonly pagesPerSecond: number;
  /** Requests per second from quote to success. */
  readonly endToEnd: readonly { readonly name: string; readonly requestsPerSecond: number }[];
  /** From the call of `localnet()` to the first quote, with an in-memory database. */
  readonly firstQuoteMs: number;
}

/** A limit and the measured value. */
export interface Bar {
  readonly name: string;
  readonly atMost: number;
  readonly measured: number;
  readonly isMet: boolean;
}

/** The limits of the service. */
export function judge({ families, paging, firstQuoteMs }: Report): Bar[] {
  const bar = (name: string, atMost: number, measured: number): Bar => ({
    name,
    atMost,
    measured,
    isMet: measured <= atMost,
  });
  return [
    ...families.map(({ name, limitMs, service }) => bar(`${name}: p99 in ms`, limitMs, service.p99Ms)),
    ...families.map(({ name, service, bare }) => bar(`${name}: p50 to bare SQL`, 2, service.p50Ms / bare.p50Ms)),
    // Equally fast, within the variation between two measurements of the same page.
    bar("deep pages: p50 to the first pages", 1.25, paging.deep.p50Ms / paging.first.p50Ms),
    bar("start to first quote in ms", 5_000, firstQuoteMs),
  ];
}

const LEGEND = `
service      GET /requests/v3 over HTTP on loopback, 20 records a page, one client.
bare         The same statements through the database client, alternating with the service, in the same process.
deep         Pages of 50 far after the first, reached by cursors.
requests/s   From quote to success: concurrent quotes, deposits and waits.
includeTotal Counts all matches. Its cost grows with the number of matches, so it has no limit.
`;

/** The report as text. */
export function toText(report: Report, bars: readonly Bar[]): string {
  const { count, families, paging, pagesPerSecond, endToEnd, firstQuoteMs } = report;
  const ms = (value: number): string => value.toFixed(1);
  const filters = toTable([
    [`${count.toLocaleString("en-US")} records, ms`, "service p50", "p99", "bare p50", "p99", "p50 ratio"],
    ...families.map(({ name, service, bare }) => [
      name,
      ...[service.p50Ms, service.p99Ms, bare.p50Ms, bare.p99Ms].map(ms),
      (service.p50Ms / bare.p50Ms).toFixed(2),
    ]),
  ]);
  const smaller = report.growth.toSorted((left, right) => left.count - right.count);
  const growth = toTable([
    ["p50 / p99 ms by records", ...[...smaller, report].map((one) => one.count.toLocaleString("en-US"))],
    ...families.map(({ name }) => [
      name,
      ...[...smaller, report].map((one) => {
        const latency = one.families.find((family) => family.name === name)?.service;
        return latency === undefined ? "" : `${ms(latency.p50Ms)} / ${ms(latency.p99Ms)}`;
      }),
    ]),
  ]);
  const pages = toTable([
    ["pages of 50, ms", "p50", "p99"],
    ["first pages", ms(paging.first.p50Ms), ms(paging.first.p99Ms)],
    [`after page ${paging.depth}`, ms(paging.deep.p50Ms), ms(paging.deep.p99Ms)],
  ]);
  const rates = toTable([
    ["per second", ""],
    ["pages, eight clients", ms(pagesPerSecond)],
    ...endToEnd.map(({ name, requestsPerSecond }) => [`requests, ${name}`, ms(requestsPerSecond)]),
  ]);
  const missed = bars.filter(({ isMet }) => !isMet);
  const judged = [
    `start to first quote: ${Math.round(firstQuoteMs)} ms`,
    `limits: ${bars.length - missed.length} of ${bars.length} met`,
    ...missed.map(({ name, atMost, measured }) => `MISSED  ${measured.toFixed(2)}, at most ${atMost}: ${name}`),
  ].join("\n");
  return [filters, ...(smaller.length === 0 ? [] : [growth]), pages, rates, judged, LEGEND.trim()].join("\n\n");
}
