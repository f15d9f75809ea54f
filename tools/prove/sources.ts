import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { keccak256, toBytes } from "viem";

import { asLondon } from "../london/asLondon.ts";
import { applyEdits, type AstNode, isNode, nodesIn, parse, rangeOf } from "../solidity/solc.ts";

/** Text that a source contains exactly once, or a pattern that it contains at least once, and the replacement. */
export type Replacement = readonly [found: string | RegExp, text: string];

/** Differences between a contract in the repository and the checked source. */
export interface Reading {
  readonly path: string;
  /** Functions and constants to copy to a contract named `Taken`; all by default. */
  readonly take?: readonly string[];
  readonly replace?: readonly Replacement[];
}

const root = new URL("../../", import.meta.url);

/**
 * Reads a contract and converts it for the checker: `if (…) revert …` becomes `require`, transient variables become
 * storage variables, and hashes of literals become numbers.
 *
 * @param mutation fault to apply
 * @throws Error if the contract has changed and a replacement no longer matches
 */
export function readContract({ path, take, replace = [] }: Reading, mutation: readonly Replacement[] = []): string {
  const mutated = readMutated(path, mutation);
  const chosen = take === undefined ? mutated : takeMembers(path, mutated, take);
  const readable = withoutReverts(path, replaceAll(path, chosen, replace));
  return withHashes(asLondon("project/", readable));
}

/** Reads a contract with a fault. */
export function readMutated(path: string, mutation: readonly Replacement[]): string {
  return replaceAll(path, readFileSync(fileURLToPath(new URL(path, root)), "utf8"), mutation);
}

function replaceAll(path: string, source: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((text, [found, replacement]) => {
    const pattern = toPattern(found);
    const count = [...text.matchAll(pattern)].length;
    const isFound = typeof found === "string" ? count === 1 : count > 0;
    if (!isFound)
      throw new Error(`the proofs do not fit ${path}, which contains this text ${count} times: ${String(found)}`);
    return typeof found === "string"
      ? text.replaceAll(pattern, () => replacement)
      : text.replaceAll(pattern, replacement);
  }, source);
}

/** Matches any line breaks, which depend on the formatter. */
function toPattern(found: string | RegExp): RegExp {
  const source = typeof found === "string" ? found.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`) : found.source;
  return new RegExp(source.replaceAll(/\s+/gu, String.raw`\s+`), "gu");
}

function takeMembers(path: string, source: string, names: readonly string[]): string {
  const bytes = Buffer.from(source);
  const members = [...nodesIn(parse(path, source))]
    .filter(({ nodeType }) => nodeType === "ContractDefinition")
    .flatMap(({ nodes }): readonly unknown[] => (Array.isArray(nodes) ? nodes : []))
    .filter(isNode)
    .filter(({ name }) => names.includes(String(name)));
  if (members.length !== names.length)
    throw new Error(`${path} does not contain each of ${names.join(", ")} exactly once`);
  const texts = members.map((member) => {
    const { start, end } = rangeOf(member);
    const text = bytes
      .subarray(start, end)
      .toString()
      .replace(/\bprivate\b/u, "internal");
    return member.nodeType === "FunctionDefinition" ? text : `${text};`;
  });
  return `pragma solidity 0.8.37;\nabstract contract Taken {\n${texts.join("\n")}\n}\n`;
}

/** Replaces `if (…) revert …` with `require`, because the checker finds false counterexamples for the former. */
function withoutReverts(path: string, source: string): string {
  const bytes = Buffer.from(source);
  const edits = [...nodesIn(parse(path, source))].flatMap((node) => {
    const { condition, trueBody, falseBody } = node;
    if (node.nodeType !== "IfStatement" || !isNode(condition) || !isNode(trueBody) || isNode(falseBody)) return [];
    if (!isRevert(trueBody)) return [];
    const { start, end } = rangeOf(condition);
    const semicolon = trueBody.nodeType === "Block" ? ";" : "";
    return [{ ...rangeOf(node), text: `require(!(${bytes.subarray(start, end).toString()}))${semicolon}` }];
  });
  return applyEdits(source, edits);
}

function withHashes(source: string): string {
  return source.replaceAll(/\bkeccak256\("([^"\\]*)"\)/gu, (_, text: string) => `bytes32(${keccak256(toBytes(text))})`);
}

function isRevert(body: AstNode): boolean {
  if (body.nodeType === "RevertStatement") return true;
  const statements: readonly unknown[] = Array.isArray(body.statements) ? body.statements : [];
  const [only] = statements;
  return body.nodeType === "Block" && statements.length === 1 && isNode(only) && only.nodeType === "RevertStatement";
}
