import type { Envelope } from "../envelope/envelope.ts";
import type { FillPlan } from "../fillPlan.ts";
import type { Notation } from "./notation.ts";
import type { Fact } from "./summary.ts";

export function envelopeFacts({ points, smallestWorking, gas }: Envelope, plan: FillPlan, notation: Notation): Fact[] {
  const { currency } = plan;
  const first = points.at(0);
  const last = points.at(-1);
  return [
    ...(first === undefined || last === undefined
      ? []
      : [
          {
            label: "tried",
            text:
              `${points.length} amounts from ${notation.amountOf(first.amount, currency)} to ` +
              notation.amountOf(last.amount, currency),
          },
        ]),
    {
      label: "works from",
      text: smallestWorking === undefined ? "no amount works" : notation.amountOf(smallestWorking, currency),
    },
    ...(gas === undefined
      ? []
      : [
          {
            label: "gas",
            text: `${gas.maximum} at most, p99 ${gas.p99}, recommended limit ${gas.recommendedLimit}`,
          },
        ]),
  ];
}
