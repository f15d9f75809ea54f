import type { Cost, Gas } from "./measure.ts";
import type { RouterName } from "./stage.ts";
import type { WayId } from "./ways.ts";

/** Gas of all approaches with one router. */
export interface RouterCosts {
  readonly router: RouterName;
  readonly ways: readonly Cost[];
}

/** Maximum gas of an approach in its second use. */
interface Limit {
  readonly id: string;
  readonly router: RouterName;
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

/** Ratios to Across are higher with router 3.2, because it adds less to Across's longer call data. */
const LIMITS: readonly Limit[] = (["LocalRouter", "LocalRouter32"] as const).flatMap((router) => [
  { id: "typed", router, way: "typed", part: "fill", atMost: 114_500 },
  { id: "typedToAcross", router, way: "typed", part: "fill", to: "across", atMost: 0.82 },
  { id: "typedFresh", router, way: "typed", part: "fresh", atMost: 111_500 },
  { id: "program", router, way: "program", part: "fill", atMost: 135_000 },
  {
    id: "programToAcross",
    router,
    way: "program",
    part: "fill",
    to: "across",
    atMost: router === "LocalRouter" ? 0.82 : 0.83,
  },
  { id: "programFresh", router, way: "program", part: "fresh", atMost: 122_500 },
]);

/** Compares the measured values with the limits. */
export function judge(all: readonly RouterCosts[]): readonly Bar[] {
  return LIMITS.map((limit) => {
    const { router, way, part, to, atMost } = limit;
    const ways = all.find((costs) => costs.router === router)?.ways ?? [];
    const gas = costOf(ways, way).second[part];
    const measured = to === undefined ? gas : gas / costOf(ways, to).second[part];
    return { ...limit, measured, isMet: measured <= atMost };
  });
}

/** Returns the gas of one approach. */
export function costOf(costs: readonly Cost[], id: WayId): Cost {
  const cost = costs.find((each) => each.id === id);
  if (cost === undefined) throw new Error(`${id} was not measured`);
  return cost;
}
