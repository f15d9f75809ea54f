import { keccak256, stringToHex } from "viem";

import type { PlannedStep } from "@crosscall/protocol/quote/rules";
import { isObject } from "@crosscall/protocol/schema";

/** What a step does, without the gas and fees that its quote proposes. */
function digestOf(planned: PlannedStep): string {
  const omitted = ["position", "gas", "maxFeePerGas", "maxPriorityFeePerGas", "typedData"];
  const step = Object.fromEntries(Object.entries(planned).filter(([name]) => !omitted.includes(name)));
  return keccak256(stringToHex(sortedJson(step)));
}

export function isSameStep(a: PlannedStep, b: PlannedStep): boolean {
  return digestOf(a) === digestOf(b);
}

/** Storage may reorder the keys of a quote. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === "bigint") return inner.toString();
    return isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner;
  });
}

/** By position. */
export function digestsOf(actions: readonly PlannedStep[]): Record<string, string> {
  return Object.fromEntries(actions.map((action) => [action.position, digestOf(action)]));
}

/** With the order that the steps pay. */
export function digestsWithOrder(
  actions: readonly PlannedStep[],
  orderId: string | null | undefined,
): Record<string, string> {
  return { ...digestsOf(actions), order: (orderId ?? "").toLowerCase() };
}
