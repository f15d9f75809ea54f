import { branchPoints, type BranchPoint } from "./branchPoints.ts";

export const RECORDER_SOURCE = "__CrosscallBranches.sol";

const RECORDER = "__CrosscallBranches";

/** Wraps each condition in a function call that records its outcome. No line moves. */
export function recordBranches(sourceName: string, text: string): string {
  const points = branchPoints(sourceName, text);
  if (points.length === 0) return text;
  const insertions = points.flatMap((point) => [opening(point), closing(point)]).sort(byPosition);

  const bytes = Buffer.from(text);
  let written = "";
  let from = 0;
  for (const { at, inserted } of insertions) {
    written += bytes.subarray(from, at).toString() + inserted;
    from = at;
  }
  return `${written}${bytes.subarray(from).toString()}\nimport "${RECORDER_SOURCE}";\n`;
}

/** Uses the library with which Hardhat records statements. */
export function recorder(coverageSource: string, coverageLibrary: string): string {
  return [
    "// SPDX-License-Identifier: MIT",
    "pragma solidity >=0.8.0;",
    `import "${coverageSource}";`,
    `library ${RECORDER} {`,
    "  function take(bool outcome, uint256 whenTrue, uint256 whenFalse) internal pure returns (bool) {",
    `    ${coverageLibrary}.sendHit(outcome ? whenTrue : whenFalse);`,
    "    return outcome;",
    "  }",
    "}",
    "",
  ].join("\n");
}

interface Insertion {
  readonly at: number;
  readonly inserted: string;
  /** Ties at one offset: what ends comes before what begins, and nested conditions are inside. */
  readonly order: number;
}

function opening({ start, end }: BranchPoint): Insertion {
  return { at: start, inserted: `${RECORDER}.take(`, order: 1 / (end - start) };
}

function closing({ start, end, whenTrue, whenFalse }: BranchPoint): Insertion {
  return { at: end, inserted: `, 0x${whenTrue}, 0x${whenFalse})`, order: -1 / (end - start) };
}

function byPosition(left: Insertion, right: Insertion): number {
  return left.at - right.at || left.order - right.order;
}
