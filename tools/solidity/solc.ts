// Reads Solidity sources and their syntax trees from solc.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import solc from "solc";

export interface AstNode {
  readonly nodeType: string;
  readonly src: string;
  readonly [field: string]: unknown;
}

/** Returns a source by its name. */
export type ReadSource = (name: string) => string | undefined;

interface Callbacks {
  readonly import: (path: string) => { contents: string } | { error: string };
  readonly smtSolver?: (query: string) => { contents: string };
}

const root = new URL("../../", import.meta.url);

// solc's types have `any`.
const run = solc.compile as (input: string, callbacks: Callbacks) => string;

/** Compiles standard JSON input, and returns the output. */
export function compile(input: object, read: ReadSource, smtSolver?: Callbacks["smtSolver"]): unknown {
  const find: Callbacks["import"] = (path) => {
    const contents = read(path);
    return contents === undefined ? { error: `there is no ${path}` } : { contents };
  };
  return JSON.parse(run(JSON.stringify(input), { import: find, ...(smtSolver && { smtSolver }) }));
}

/** Reads a source from the checkout or from a package. */
export function readSource(name: string): string | undefined {
  const path = fileURLToPath(new URL(name.startsWith("@") ? `node_modules/${name}` : name, root));
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/**
 * Parses one source, without its imports.
 *
 * @throws Error if the source does not parse
 */
export function parse(sourceName: string, text: string): unknown {
  const input = {
    language: "Solidity",
    sources: { [sourceName]: { content: text } },
    settings: { stopAfter: "parsing", outputSelection: { "*": { "": ["ast"] } } },
  };
  const output = compile(input, () => undefined) as {
    sources?: Record<string, { ast: unknown }>;
    errors?: readonly { severity: string; formattedMessage: string }[];
  };
  const fault = output.errors?.find(({ severity }) => severity === "error");
  if (fault !== undefined) throw new Error(fault.formattedMessage);
  return output.sources?.[sourceName]?.ast;
}

/** Iterates over a node and all nodes in it, outer ones first. */
export function* nodesIn(value: unknown): Generator<AstNode> {
  if (typeof value !== "object" || value === null) return;
  if (isNode(value)) yield value;
  for (const child of Object.values(value)) yield* nodesIn(child);
}

export function isNode(value: unknown): value is AstNode {
  return typeof value === "object" && value !== null && "nodeType" in value && "src" in value;
}

/** Returns the range of a node in its source, in bytes. */
export function rangeOf({ src }: AstNode): { start: number; end: number } {
  const [start = 0, length = 0] = src.split(":").map(Number);
  return { start, end: start + length };
}

/** A part of a source to replace, in bytes. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Replaces parts of a source. If two replacements overlap, the first one in the source is used. */
export function applyEdits(source: string, edits: readonly Edit[]): string {
  const bytes = Buffer.from(source);
  const parts: Buffer[] = [];
  let end = 0;
  for (const edit of [...edits].sort((left, right) => left.start - right.start || right.end - left.end)) {
    if (edit.start < end) continue;
    parts.push(bytes.subarray(end, edit.start), Buffer.from(edit.text));
    end = edit.end;
  }
  return Buffer.concat([...parts, bytes.subarray(end)]).toString();
}
