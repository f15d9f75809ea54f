import { type Abi, type AbiFunction, type AbiParameter, type Hex, size, slice, toFunctionSelector } from "viem";

import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import type { Call } from "@crosscall/protocol/common";
import { decodeProgram } from "../program/decodeProgram.ts";
import type { DecodedProgram } from "../program/decodedProgram.ts";
import type { DecodedArgument, DecodedCall } from "./decodedCall.ts";
import type { KnownFunction, KnownTake } from "./knownFunction.ts";
import {
  findKnownFunction,
  type IndexedFunction,
  isInnerFunction,
  type ReadFunction,
  readFunction,
  readKnownFunction,
} from "./knownFunctions.ts";
import { type InnerCall, listInnerCalls } from "./listInnerCalls.ts";
import { expandPath, readToken } from "./readArgument.ts";

export interface DecodeCallsOptions {
  /** ABIs of targets, which take precedence over crosscall's ABIs. */
  readonly abis?: readonly Abi[];
}

/** Maximum depth. Without it, a few bytes could reference the same call many times. */
const DEPTH_MAX = 8;
const CALLS_MAX = 2_000;

/** State that all calls of a run share. */
interface Run {
  readonly bySelector: ReadonlyMap<Hex, readonly AbiFunction[]>;
  /** Remaining number of inner calls. */
  left: number;
}

/**
 * Decodes `txs`: the function and arguments of each entry, its inner calls, and programs of the push executor. Supports
 * all router versions, crosscall's contracts and common protocols. Never throws, and returns unknown data as bytes.
 */
export function decodeCalls(txs: readonly Call[], parameters: DecodeCallsOptions = {}): DecodedCall[] {
  rejectUnknownOptions(parameters, { abis: 1 });
  const { abis = [] } = parameters;
  const functions = abis.flatMap((abi) => abi.filter((item): item is AbiFunction => item.type === "function"));
  const run: Run = { bySelector: groupBySelector(functions), left: CALLS_MAX };
  return txs.map((call) => decode({ ...call, isByRouter: true }, run, 0));
}

function groupBySelector(functions: readonly AbiFunction[]): ReadonlyMap<Hex, readonly AbiFunction[]> {
  const groups = new Map<Hex, AbiFunction[]>();
  for (const item of functions) {
    const selector = toFunctionSelector(item);
    groups.set(selector, [...(groups.get(selector) ?? []), item]);
  }
  return groups;
}

function decode(call: InnerCall, run: Run, depth: number): DecodedCall {
  const { to, value, data, isByRouter, mayFail = false } = call;
  const parts = { to, value, data, isByRouter, mayFail };
  if (!isBytes(data)) return { ...parts, kind: "malformed", reason: "its data is not hex of whole bytes" };
  if (size(data) === 0) return { ...parts, kind: "empty" };
  const bytes = data.toLowerCase() as Hex;
  const selector = slice(bytes, 0, Math.min(4, size(bytes)));
  const indexed = findKnownFunction(selector);
  const own = readFirst(run.bySelector.get(selector) ?? [], bytes);
  const plain = indexed === undefined ? undefined : readExactly(indexed, bytes);
  const read = own ?? plain;
  if (read === undefined) {
    const known = indexed === undefined || isInnerFunction(indexed) ? undefined : indexed.item;
    const expected = run.bySelector.get(selector)?.[0] ?? known;
    return { ...parts, kind: "unknown", selector, words: wordsOf(bytes), expected: expected && signatureOf(expected) };
  }
  const { item, args, tail } = read;
  const signature = signatureOf(item);
  // Finds inner calls with crosscall's ABIs, because the caller's ABIs can name parameters differently.
  const knownArgs = plain?.args ?? args;
  const inner = depth < DEPTH_MAX ? listInnerCalls({ to, isByRouter, signature, args: knownArgs }) : [];
  const taken = inner.slice(0, run.left);
  run.left -= taken.length;
  return {
    ...parts,
    kind: "function",
    family: own === undefined ? indexed?.family : undefined,
    name: item.name,
    signature,
    args,
    amounts: own === undefined && indexed !== undefined ? amountsOf(indexed.known, args, to) : {},
    tail,
    calls: taken.map((each) => decode({ ...each, mayFail: mayFail || each.mayFail === true }, run, depth + 1)),
    program: readProgram(signature, knownArgs),
  };
}

/** Reads commands of the universal router only if they are canonical, because its forks have other parameters. */
function readExactly(indexed: IndexedFunction, data: Hex): ReadFunction | undefined {
  const read = readKnownFunction(indexed, data);
  return read?.tail === undefined && isInnerFunction(indexed) ? undefined : read;
}

/** Returns the first function that matches, and prefers one that explains all bytes. */
function readFirst(items: readonly AbiFunction[], data: Hex): ReadFunction | undefined {
  const readings = items.flatMap((item) => readFunction(item, data) ?? []);
  return readings.find(({ tail }) => tail === "0x") ?? readings[0];
}

function amountsOf(known: KnownFunction, args: readonly DecodedArgument[], to: string): Record<string, string> {
  const { amounts = {}, takes = [] } = known;
  const taken = (Array.isArray(takes) ? takes : [takes]) as readonly KnownTake[];
  const references = [
    ...Object.entries(amounts),
    ...taken.map(({ amount, token }): [string, string] => [amount, token]),
  ];
  const entries = references.flatMap(([path, reference]) =>
    expandPath(args, path).map((index): [string, string | undefined] => [
      path.replace("*", index),
      readToken(args, reference.replace("*", index), to),
    ]),
  );
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function readProgram(signature: string, args: readonly DecodedArgument[]): DecodedProgram | undefined {
  if (signature !== "execute()" && signature !== "pullAndExecute(address)") return undefined;
  try {
    return decodeProgram(args.at(-1)?.value as Hex);
  } catch {
    return undefined;
  }
}

function wordsOf(bytes: Hex): Hex[] {
  const length = size(bytes);
  const starts = Array.from({ length: Math.max(0, Math.ceil((length - 4) / 32)) }, (_, index) => 4 + 32 * index);
  return starts.map((start) => slice(bytes, start, Math.min(start + 32, length)));
}

function isBytes(data: unknown): data is Hex {
  return typeof data === "string" && /^0x(?:[0-9a-f]{2})*$/iu.test(data);
}

/** Returns a signature such as `approve(address,uint256)`, whose hash determines the selector. */
export function signatureOf({ name, inputs }: { name: string; inputs: readonly AbiParameter[] }): string {
  return `${name}(${inputs.map(typeOf).join(",")})`;
}

function typeOf(input: AbiParameter): string {
  if (!("components" in input)) return input.type;
  return `(${input.components.map(typeOf).join(",")})${input.type.slice("tuple".length)}`;
}
