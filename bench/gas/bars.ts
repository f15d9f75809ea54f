import type { Cost } from "./measure.ts";
import type { WayId } from "./ways.ts";

/** What a way may cost at most, as a multiple of another: of the whole fill, in steady use. */
interface Limit {
  readonly id: string;
  readonly way: WayId;
  readonly to: WayId;
  readonly atMost: number;
}

/** A limit and what was measured. */
export interface Bar extends Limit {
  readonly ratio: number;
  readonly isMet: boolean;
}

const LIMITS: readonly Limit[] = [
  { id: "typedToFixedAmount", way: "typed", to: "fixedAmount", atMost: 1.09 },
  { id: "pushedToFixedAmount", way: "pushed", to: "fixedAmount", atMost: 1.3 },
  { id: "typedToAcross", way: "typed", to: "across", atMost: 0.8 },
  { id: "pushedToAcross", way: "pushed", to: "across", atMost: 0.8 },
];

/** Holds what was measured against the limits. */
export function judge(costs: readonly Cost[]): readonly Bar[] {
  return LIMITS.map((limit) => {
    const ratio = costOf(costs, limit.way).steady.fill / costOf(costs, limit.to).steady.fill;
    return { ...limit, ratio, isMet: ratio <= limit.atMost };
  });
}

/** The cost of one way. */
export function costOf(costs: readonly Cost[], id: WayId): Cost {
  const cost = costs.find((each) => each.id === id);
  if (cost === undefined) throw new Error(`${id} was not measured`);
  return cost;
}
