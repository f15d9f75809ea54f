// Branch coverage, which Hardhat does not measure.
import { createHash } from "node:crypto";

import type { HardhatPlugin } from "hardhat/types/plugins";

import { type AstNode, isNode, nodesIn, parse, rangeOf } from "../solidity/solc.ts";

const RECORDER_SOURCE = "__CrosscallBranches.sol";

const COVERAGE_SOURCE = /^(__\w+Coverage)-[\w-]+\.sol$/;

/** With `--coverage`, records the outcomes of conditions in the same files as Hardhat records statements. */
export const branchPlugin: HardhatPlugin = {
  id: "crosscall-branches",
  hookHandlers: {
    solidity: () =>
      Promise.resolve({
        default: () =>
          Promise.resolve({
            preprocessProjectFileBeforeBuilding: async (context, sourceName, path, text, version, next) => {
              const written = await next(context, sourceName, path, text, version);
              return written === text ? text : recordBranches(sourceName, written);
            },
            preprocessSolcInputBeforeBuilding: async (context, solcInput, next) => {
              const input = await next(context, solcInput);
              const match = Object.keys(input.sources)
                .map((name) => COVERAGE_SOURCE.exec(name))
                .find((found) => found !== null);
              if (match?.[1] === undefined) return input;
              const content = recorder(match[0], match[1]);
              return { ...input, sources: { ...input.sources, [RECORDER_SOURCE]: { content } } };
            },
          }),
      }),
  },
};

/** A condition; both outcomes must be covered. */
export interface BranchPoint {
  /** Byte offset of the condition in the source. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** Ids that are recorded if the condition is true and if it is false: 32 bytes in hex. */
  readonly whenTrue: string;
  readonly whenFalse: string;
}

const DECISIONS: ReadonlySet<string> = new Set([
  "Conditional",
  "DoWhileStatement",
  "ForStatement",
  "IfStatement",
  "WhileStatement",
]);

/**
 * Lists conditions in source order: those of `if`, `?:` and loops, and operands of `&&` and `||`. A condition with such
 * operands is counted by its operands. `try` is covered by the lines of its blocks, and assembly is not counted. Ids
 * depend only on the order, so added statements do not change them.
 *
 * @throws Error if the source does not parse
 */
export function branchPoints(sourceName: string, text: string): readonly BranchPoint[] {
  const conditions = new Map<string, AstNode>();
  for (const node of nodesIn(parse(sourceName, text))) {
    for (const condition of conditionsOf(node)) conditions.set(condition.src, condition);
  }
  const bytes = Buffer.from(text);
  return [...conditions.values()]
    .map(rangeOf)
    .sort((left, right) => left.start - right.start || right.end - left.end)
    .map(({ start, end }, index) => ({
      start,
      end,
      text: bytes.subarray(start, end).toString(),
      line: bytes.subarray(0, start).toString().split("\n").length,
      whenTrue: recordOf(sourceName, index, true),
      whenFalse: recordOf(sourceName, index, false),
    }));
}

/** Returns the operands of a condition, or the condition itself. */
function conditionsOf(node: AstNode): readonly AstNode[] {
  const found = DECISIONS.has(node.nodeType) ? [node.condition] : isJunction(node) ? operandsOf(node) : [];
  return found.filter(isNode).filter((condition) => !isJunction(withoutParentheses(condition)));
}

function isJunction(node: AstNode): boolean {
  return node.nodeType === "BinaryOperation" && (node.operator === "&&" || node.operator === "||");
}

function operandsOf(node: AstNode): readonly unknown[] {
  return [node.leftExpression, node.rightExpression];
}

function withoutParentheses(node: AstNode): AstNode {
  if (node.nodeType !== "TupleExpression" || !Array.isArray(node.components) || node.components.length !== 1)
    return node;
  const inner: unknown = node.components[0];
  return isNode(inner) ? withoutParentheses(inner) : node;
}

function recordOf(sourceName: string, index: number, outcome: boolean): string {
  return createHash("sha256").update(`${sourceName} ${index} ${outcome}`).digest("hex");
}

const RECORDER = "__CrosscallBranches";

/** Wraps each condition in a function call that records its outcome. Keeps all line numbers. */
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

/** Uses the library that Hardhat records statements with. */
function recorder(coverageSource: string, coverageLibrary: string): string {
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
  /** Orders insertions at the same offset: ends come before beginnings, and nested conditions are inside. */
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

export interface FileCoverage {
  readonly path: string;
  readonly lines: readonly { readonly line: number; readonly isHit: boolean }[];
  /** Outcomes, two per condition, in source order. */
  readonly branches: readonly BranchCoverage[];
}

export interface BranchCoverage {
  readonly line: number;
  readonly condition: string;
  readonly outcome: boolean;
  readonly isHit: boolean;
}

export function readCoverage(
  lcov: string,
  records: ReadonlySet<string>,
  readSource: (path: string) => string,
): readonly FileCoverage[] {
  return lcov
    .split("end_of_record")
    .flatMap((section) => {
      const path = /^SF:(.+)$/m.exec(section)?.[1];
      return path === undefined ? [] : [{ path, section }];
    })
    .map(({ path, section }) => ({
      path,
      lines: [...section.matchAll(/^DA:(\d+),(\d+)$/gm)].map(([, line, hits]) => ({
        line: Number(line),
        isHit: hits !== "0",
      })),
      branches: branchPoints(`project/${path}`, readSource(path)).flatMap(
        ({ line, text: condition, whenTrue, whenFalse }) => [
          { line, condition, outcome: true, isHit: records.has(whenTrue) },
          { line, condition, outcome: false, isHit: records.has(whenFalse) },
        ],
      ),
    }))
    .sort((left, right) => (left.path < right.path ? -1 : 1));
}
