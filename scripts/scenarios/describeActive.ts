import type { ActiveScenario } from "../../src/localnet/index.ts";

export function describeActive({ name, parameters, next, uses }: ActiveScenario): string {
  const given = Object.entries(parameters)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([parameter, value]) => `${parameter}=${String(value)}`);
  const left = next === null ? "until it is cleared" : `${next} to come`;
  return `${[name, ...given].join(" ")}: ${left}, ${uses} so far\n`;
}
