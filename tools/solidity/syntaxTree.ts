// Solidity sources as syntax trees of solc.
import solc from "solc";

export interface AstNode {
  readonly nodeType: string;
  readonly src: string;
  readonly [field: string]: unknown;
}

// solc's types have `any`.
const compile = solc.compile as (input: string) => string;

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
  const output = JSON.parse(compile(JSON.stringify(input))) as {
    sources?: Record<string, { ast: unknown }>;
    errors?: readonly { severity: string; formattedMessage: string }[];
  };
  const fault = output.errors?.find(({ severity }) => severity === "error");
  if (fault !== undefined) throw new Error(fault.formattedMessage);
  return output.sources?.[sourceName]?.ast;
}

/** A node and all nodes in it, outer ones first. */
export function* nodesIn(value: unknown): Generator<AstNode> {
  if (typeof value !== "object" || value === null) return;
  if (isNode(value)) yield value;
  for (const child of Object.values(value)) yield* nodesIn(child);
}

export function isNode(value: unknown): value is AstNode {
  return typeof value === "object" && value !== null && "nodeType" in value && "src" in value;
}

/** Bytes of a node in its source. */
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

/** Replaces parts of a source. If two overlap, the first in the source is used. */
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
