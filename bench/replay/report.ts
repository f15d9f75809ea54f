import { toTable } from "../table.ts";
import { OURS, RAW_CALLS, RAW_TRANSACTIONS } from "./contenders.ts";
import type { Rate } from "./measure.ts";
import type { PreflightTimes } from "./preflights.ts";

/** A limit and the measured value. */
export interface Bar {
  readonly name: string;
  readonly bar: string;
  readonly measured: string;
  readonly isMet: boolean;
}

/** All results. */
export interface Report {
  readonly rates: readonly Omit<Rate, "filled">[];
  /** Number of fills compared with real transactions on the chain itself, and how many have the same amount and gas. */
  readonly identical: { readonly count: number; readonly of: number };
  readonly preflights: readonly PreflightTimes[];
  readonly bars: readonly Bar[];
}

const RAW_SHARE = 0.9;
const FIRST_RESPONSE_MS = 1_500;
/** Maximum time of a preflight over loopback from a cold start, in milliseconds. */
const PREFLIGHT_MS = 2_000;

/** Compares the rates with their limits. */
export function judge({ rates, identical, preflights }: Omit<Report, "bars">, slowMs: number): readonly Bar[] {
  const find = (name: string, delayMs: number) => {
    const rate = rates.find((each) => each.name === name && each.delayMs === delayMs);
    if (rate === undefined) throw new Error(`${name} was not measured at ${delayMs} ms`);
    return rate;
  };
  const warm = find(OURS, 0).perSecond / find(RAW_TRANSACTIONS, 0).perSecond;
  const cold = find(OURS, slowMs).coldPerSecond / find(RAW_TRANSACTIONS, slowMs).coldPerSecond;
  const firstMs = find(OURS, slowMs).firstMs;
  const atLeast = (name: string, ratio: number): Bar => ({
    name,
    bar: `at least ${RAW_SHARE}`,
    measured: ratio.toFixed(2),
    isMet: ratio >= RAW_SHARE,
  });
  return [
    atLeast("rate of envelope on a fork, relative to raw EDR with transactions, after the first fill", warm),
    atLeast(
      `rate of envelope on a fork, relative to raw EDR with transactions, from a cold start at ${slowMs} ms`,
      cold,
    ),
    {
      name: `first result from a cold start at ${slowMs} ms`,
      bar: `under ${FIRST_RESPONSE_MS} ms`,
      measured: `${firstMs.toFixed(0)} ms`,
      isMet: firstMs < FIRST_RESPONSE_MS,
    },
    {
      name: "fills with the same amount and gas as real transactions",
      bar: `${identical.of}`,
      measured: `${identical.count}`,
      isMet: identical.count === identical.of,
    },
    ...preflights
      .filter(({ delayMs }) => delayMs === 0)
      .map(({ firstMs }) => ({
        name: "first preflight of the demo's quote, both legs, over loopback",
        bar: `under ${PREFLIGHT_MS} ms`,
        measured: `${firstMs.toFixed(0)} ms`,
        isMet: firstMs < PREFLIGHT_MS,
      })),
  ];
}

const LEGEND = `
latency       Delay of each response from the forked chain.
amounts       Number of filled amounts: all, or a sample for slow approaches.
first         Time from a cold start to the first fill: opening the fork, and reading the state that the fill needs.
per second    Fills per second after the first, including all work at the end.
cold start    Fills per second, including the time to open the fork.
to raw        The rate after the first fill, relative to ${RAW_TRANSACTIONS}.
${RAW_CALLS} is the lower bound: it does less than the others.
`;

/** Formats the report as text. */
export function toText({ rates, preflights, bars }: Report): string {
  const rows = rates.map((rate) => {
    const raw = rates.find(({ name, delayMs }) => name === RAW_TRANSACTIONS && delayMs === rate.delayMs);
    return [
      rate.name,
      `${rate.delayMs} ms`,
      rate.count.toString(),
      `${rate.firstMs.toFixed(0)} ms`,
      rate.perSecond.toFixed(0),
      rate.coldPerSecond.toFixed(0),
      (rate.perSecond / (raw?.perSecond ?? Number.NaN)).toFixed(2),
    ];
  });
  const table = toTable([["approach", "latency", "amounts", "first", "per second", "cold start", "to raw"], ...rows]);
  const judged = bars.map(
    ({ name, bar, measured, isMet }) => `${isMet ? "met   " : "MISSED"}  ${measured}, ${bar}: ${name}`,
  );
  const times = preflights.map(({ delayMs, firstMs, bestMs }) => [
    `${delayMs} ms`,
    `${firstMs.toFixed(0)} ms`,
    `${bestMs.toFixed(0)} ms`,
  ]);
  const preflightTable = toTable([["preflight at latency", "first", "best"], ...times]);
  return [table, preflightTable, judged.join("\n"), LEGEND.trim()].join("\n\n");
}
