import * as Type from "typebox";

import { compact, CrosscallError, InvalidInputError, printableData, printableLines } from "@crosscall/protocol/core";
import { listMismatches } from "@crosscall/protocol/schema";
import { toJsonLine } from "../../terminal/output.ts";
import { causesOf } from "../../terminal/reportError.ts";

/** What a tool found. */
export interface ToolOutput {
  /** False if the subject has errors: a finding, a failed fill, a claim that is not met. */
  readonly ok: boolean;
  /** Text of the command. Untrusted text in it is already escaped. */
  readonly summary?: string;
  /** Facts to branch on, or to pass to other tools. */
  readonly facts?: object;
  /** Command that repeats the tool. */
  readonly command: string;
}

/** A tool as `tools/list` describes it, and its function. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Type.TObject;
  /** Whether the tool changes a local network. */
  readonly isControl: boolean;
  /** @throws errors of the kit */
  readonly call: (input: object, signal: AbortSignal) => Promise<ToolOutput>;
}

interface ToolDefinition<Properties extends Type.TProperties> {
  readonly name: string;
  readonly description: string;
  readonly input: Properties;
  readonly isControl?: boolean;
  readonly run: (input: Type.Static<Type.TObject<Properties>>, signal: AbortSignal) => Promise<ToolOutput> | ToolOutput;
}

export function defineTool<Properties extends Type.TProperties>(definition: ToolDefinition<Properties>): Tool {
  const { name, description, isControl = false, run } = definition;
  // A misspelled limit would have no effect.
  const inputSchema = Type.Object(definition.input, { additionalProperties: false });
  return {
    name,
    description,
    inputSchema,
    isControl,
    call: async (input, signal) => run(parseInput(name, inputSchema, input), signal),
  };
}

function parseInput<Schema extends Type.TObject>(name: string, schema: Schema, input: object): Type.Static<Schema> {
  const known = Object.keys(schema.properties);
  const hint = `The tool ${name} takes ${known.join(", ") || "no arguments"}.`;
  const given = Object.entries<unknown>({ ...input });
  const unknown = given.find(([field]) => !known.includes(field));
  if (unknown !== undefined) {
    const [field, value] = unknown;
    throw new InvalidInputError({ field, value, reason: "the tool has no such argument", hint });
  }
  const [mismatch] = listMismatches(schema, input);
  if (mismatch === undefined) return input as Type.Static<Schema>;
  const { path: field, value, reason } = mismatch;
  throw new InvalidInputError({ field, value, reason, hint });
}

/** Result of `tools/call`. The text is the JSON of the structured content, for clients that only read text. */
export interface ToolResult {
  readonly [name: string]: unknown;
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly structuredContent: Record<string, unknown>;
  readonly isError?: true;
}

/** Characters of a summary. The rest is in the output of the command. */
const MAX_SUMMARY = 6_000;

export function toResult({ ok, summary, facts, command }: ToolOutput): ToolResult {
  return resultOf({
    ok,
    ...compact({ summary: summary === undefined ? undefined : printableLines(shorten(summary)) }),
    ...printableData(facts),
    command,
  });
}

/** Converts an error to a result with its code, hint and fields, so that the agent can correct its call. */
export function toErrorResult(thrown: unknown): ToolResult {
  const known = causesOf(thrown).filter((cause) => cause instanceof CrosscallError);
  const error = known.find(({ code }) => code !== "STAGE_FAILED") ?? known[0];
  const described =
    error === undefined
      ? { message: thrown instanceof Error ? thrown.message : String(thrown) }
      : { ...error.toJSON(), explain: `crosscall explain ${error.code}` };
  return { ...resultOf({ ok: false, error: printableData(described) }), isError: true };
}

function resultOf(fields: object): ToolResult {
  const text = toJsonLine(fields).trimEnd();
  return { content: [{ type: "text", text }], structuredContent: JSON.parse(text) as Record<string, unknown> };
}

function shorten(text: string): string {
  if (text.length <= MAX_SUMMARY) return text;
  return `${text.slice(0, MAX_SUMMARY)}\n… ${text.length - MAX_SUMMARY} more characters: run the command.`;
}

/** The codes and severities of findings. Their texts are in the summary. */
export function codesOf(findings: readonly { readonly code: string; readonly severity: string }[]): readonly object[] {
  return findings.map(({ code, severity }) => ({ code, severity }));
}

/** Joins the words of a command, and quotes those that a shell would change. */
export function commandOf(...words: readonly (string | undefined)[]): string {
  const given = ["crosscall", ...words].filter((word) => word !== undefined);
  return given.map((word) => (/^[\w./:=@,-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
}
