import { toTable } from "../table.ts";
import type { Bar } from "./bars.ts";
import { type Bundle, PEER } from "./bundles.ts";
import type { Timing } from "./operations.ts";

/** All results. */
export interface Report {
  readonly bundles: readonly Bundle[];
  readonly timings: readonly Timing[];
  readonly roundTrips: readonly Timing[];
  readonly bars: readonly Bar[];
}

const LEGEND = `
the SDK's job Quote, execute the steps, watch the request: the imports from the kit that replace the published SDK's
              client. The first load is what a page loads before it calls them, in all files of a bundler that splits
              code; the whole is everything, in one file. The other lines import all of an entry point.
without viem  Bytes of the bundle, minified and gzipped, without viem, which both libraries use.
with viem     The same with all dependencies.
load          Time to load the bundle with all dependencies but what it imports later, median of several.
p50, p99      Time of one call, in microseconds.
`;

/** Formats the report as text. */
export function toText({ bundles, timings, roundTrips, bars }: Report): string {
  const peer = bundles.find(({ name }) => name === PEER);
  const sizes = toTable([
    ["bundle, bytes", "without viem", "ratio", "with viem", "ratio", "load"],
    ...bundles.map(({ name, withoutViem, whole, loadMs }) => [
      name,
      withoutViem.toLocaleString("en-US"),
      (withoutViem / (peer?.withoutViem ?? Number.NaN)).toFixed(2),
      whole.toLocaleString("en-US"),
      (whole / (peer?.whole ?? Number.NaN)).toFixed(2),
      `${loadMs.toFixed(1)} ms`,
    ]),
  ]);
  const judged = toTable([
    ["limit, bytes", "dependencies", "at most", "measured", ""],
    ...bars.map(({ name, dependencies, limit, bytes, isMet }) => [
      name,
      dependencies,
      limit.toLocaleString("en-US"),
      bytes.toLocaleString("en-US"),
      isMet ? "met" : "MISSED",
    ]),
  ]);
  return [sizes, toTimes("operation", timings), toTimes("quote", roundTrips), judged, LEGEND.trim()].join("\n\n");
}

function toTimes(title: string, timings: readonly Timing[]): string {
  return toTable([
    [title, "p50", "p99"],
    ...timings.map(({ name, medianMicroseconds, p99Microseconds }) => [
      name,
      medianMicroseconds.toFixed(1),
      p99Microseconds.toFixed(1),
    ]),
  ]);
}
