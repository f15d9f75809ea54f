import type { Cost, Gas } from "./measure.ts";
import type { WayId } from "./ways.ts";

/** Maximum gas of an approach in steady use. */
interface Limit {
  readonly id: string;
  readonly way: WayId;
  readonly part: keyof Gas;
  /** Approach to compare with; if undefined, the limit is in gas. */
  readonly to?: WayId;
  readonly atMost: number;
}

/** A limit and the measured value. */
export interface Bar extends Limit {
  readonly measured: number;
  readonly isMet: boolean;
}

const LIMITS: readonly Limit[] = [
  { id: "typedToFixedAmount", way: "typed", part: "fill", to: "fixedAmount", atMost: 1.09 },
  { id: "pushedToFixedAmount", way: "pushed", part: "fill", to: "fixedAmount", atMost: 1.25 },
  { id: "typedToAcross", way: "typed", part: "fill", to: "across", atMost: 0.68 },
  { id: "pushedToAcross", way: "pushed", part: "fill", to: "across", atMost: 0.793 },
  { id: "typedFresh", way: "typed", part: "fresh", atMost: 109_700 },
  { id: "pushedFresh", way: "pushed", part: "fresh", atMost: 119_000 },
  { id: "pushedToAcrossFresh", way: "pushed", part: "fresh", to: "across", atMost: 0.79 },
  { id: "pushedToAcrossLive", way: "pushed", part: "live", to: "across", atMost: 0.797 },
];

/** Compares the measured values with the limits. */
export function judge(costs: readonly Cost[]): readonly Bar[] {
  return LIMITS.map((limit) => {
    const { way, part, to, atMost } = limit;
    const gas = costOf(costs, way).steady[part];
    const measured = to === undefined ? gas : gas / costOf(costs, to).steady[part];
    return { ...limit, measured, isMet: measured <= atMost };
  });
}

/** Returns the gas of one approach. */
export function costOf(costs: readonly Cost[], id: WayId): Cost {
  const cost = costs.find((each) => each.id === id);
  if (cost === undefined) throw new Error(`${id} was not measured`);
  return cost;
}
