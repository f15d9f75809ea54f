import { type Hex, size } from "viem";

import type { CodeRange } from "../../src/artifacts.ts";
import type { PlannedContract } from "./plan.ts";
import { type Simulation, wordAt } from "./simulate.ts";

export type CodeComparison =
  /** Equal in every byte, including immutables. */
  | { readonly result: "exact" }
  /** Equal except for immutables, whose values could not be computed. */
  | { readonly result: "masked" }
  | { readonly result: "foreign"; readonly offset: number };

/** Compares the code with the artifact, and the immutables with a run of the creation code on the chain. */
export function compareCode({ artifact }: PlannedContract, code: Hex, simulation: Simulation): CodeComparison {
  const immutables = Object.values(artifact.immutableReferences).flat();
  const offset = firstDifference(mask(code, immutables), mask(artifact.deployedBytecode, immutables));
  if (offset !== undefined) return { result: "foreign", offset };
  if (immutables.length === 0) return { result: "exact" };
  if (simulation.outcome !== "code") return { result: "masked" };
  const different = immutables.find(({ start }) => wordAt(code, start) !== simulation.codeWord(start));
  return different === undefined ? { result: "exact" } : { result: "foreign", offset: different.start };
}

/** Zeros in place of immutables, as in the artifact. */
function mask(code: Hex, ranges: readonly CodeRange[]): string {
  let text: string = code;
  for (const { start, length } of ranges) {
    const from = 2 + start * 2;
    const to = from + length * 2;
    // Shorter code differs in length already.
    if (to <= text.length) text = text.slice(0, from) + "0".repeat(length * 2) + text.slice(to);
  }
  return text;
}

function firstDifference(a: string, b: string): number | undefined {
  if (a === b) return undefined;
  const end = Math.min(size(a as Hex), size(b as Hex));
  for (let byte = 0; byte < end; byte += 1) {
    if (a.slice(2 + byte * 2, 4 + byte * 2) !== b.slice(2 + byte * 2, 4 + byte * 2)) return byte;
  }
  return end;
}
