import { type Address, getAddress, type Hex, size, slice } from "viem";

import { findKnownFunction, kitExecutor, kitProxies } from "@crosscall/sdk/kit";
import type { CallFrame } from "../callFrame.ts";
import type { FillPlan } from "../fillPlan.ts";
import { numberCalls } from "../trace/numberCalls.ts";
import { walkCalls } from "./walkCalls.ts";

const FAMILIES: ReadonlySet<string> = new Set([kitProxies.name, kitExecutor.name]);

/**
 * Contracts that must end with nothing: those called like the kit's proxies and executors, and those named. Calls of the
 * plan count also if they fail or are never reached.
 */
export function listProxies(root: CallFrame, plan: FillPlan, named: readonly Address[]): Address[] {
  const planned = plan.calls.flatMap(({ to, data }) => (isKitCall(data) ? [to] : []));
  const called = walkCalls(root, numberCalls(root, plan).indexes).flatMap(({ frame: { kind, to, input } }) =>
    kind === "CALL" && to !== undefined && isKitCall(input) ? [to] : [],
  );
  return [...new Set([...named, ...planned, ...called].map((account) => getAddress(account)))];
}

function isKitCall(input: Hex): boolean {
  if (size(input) < 4) return false;
  const family = findKnownFunction(slice(input, 0, 4))?.family;
  return family !== undefined && FAMILIES.has(family);
}
