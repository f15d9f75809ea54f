import {
  type Abi,
  type Address,
  decodeAbiParameters,
  type Hex,
  isAddress,
  parseAbiItem,
  toFunctionSelector,
} from "viem";

import { EXCHANGE_CAUSES } from "./lists/exchanges.ts";
import { LENDING_CAUSES } from "./lists/lending.ts";
import { LIBRARY_CAUSES } from "./lists/libraries.ts";
import { MARKET_CAUSES } from "./lists/markets.ts";
import { SERVICE_CAUSES } from "./lists/service.ts";

type AbiError = Extract<Abi[number], { readonly type: "error" }>;

/** What kind of condition an error reports. `inner`: the error only states that another call failed. */
export const CAUSE_KINDS = [
  "access",
  "allowance",
  "amount",
  "balance",
  "deadline",
  "gas",
  "health",
  "inner",
  "input",
  "limit",
  "liquidity",
  "math",
  "missing",
  "nonce",
  "order",
  "paused",
  "payment",
  "price",
  "recipient",
  "reentry",
  "sender",
  "signature",
  "slippage",
  "state",
  "transfer",
] as const;

export type CauseKind = (typeof CAUSE_KINDS)[number];

/** An error or revert string, and what it means in the contracts of one project. */
export interface CatalogEntry {
  /** Error signature with names, or a revert string in quotes, in which `*` stands for any text. */
  readonly key: string;
  readonly kind: CauseKind;
  /** Cause, with the error's arguments as `{name}` and the texts for `*` as `{0}`, `{1}`. */
  readonly cause: string;
  /**
   * What to do; by the kind if undefined. `{caller|words}` and `{call.name|words}` stand for the caller and an argument
   * of the call, if the contract is one of the project's, or else for the words.
   */
  readonly toDo: string | undefined;
  /** Whether it gives the caller a right, which the router must not get. */
  readonly isGrant: boolean;
  readonly project: string;
  /** Public repository or package with the source of the error, and its files. */
  readonly repository: string;
  readonly files: string;
  /** Whether the error means this in any contract, because its name or text says so. */
  readonly isGeneral: boolean;
  /** Functions and addresses of the project's contracts. */
  readonly selectors: ReadonlySet<string>;
  readonly addresses: ReadonlySet<string>;
}

/** An entry for revert data, with the data's values. */
export interface FoundEntry {
  readonly entry: CatalogEntry;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Where an error was raised: the contract, and its functions that were running. */
export interface RaisedIn {
  readonly contract: Address;
  readonly selectors: readonly Hex[];
}

const GRANT = /^grant: /u;

/**
 * Parses a list of entries, one per line: `error or "text" | kind | cause | to do`. The last part is optional, and starts
 * with `grant: ` if it gives the caller a right. A value after an argument (`uint256 deadline=0`) limits an entry to this
 * value. A line `# project | repository | files | places` starts the entries of a project. The places are the functions
 * and addresses in which its errors certainly mean this, or `anywhere` if their names or texts state the cause
 * themselves.
 */
function readCatalog(text: string): readonly CatalogEntry[] {
  const entries: CatalogEntry[] = [];
  let project: Omit<CatalogEntry, "key" | "kind" | "cause" | "toDo" | "isGrant"> | undefined;
  for (const line of text.split("\n")) {
    const parts = line.replace(/^# /u, "").split(" | ");
    const [first = "", second = "", third = "", fourth] = parts;
    if (line.startsWith("# ")) {
      const isGeneral = fourth === "anywhere";
      const places = fourth === undefined || isGeneral ? [] : fourth.split(/, (?=\w+\(|0x)/u);
      project = {
        project: first,
        repository: second,
        files: third,
        isGeneral,
        selectors: new Set(places.filter((place) => !isAddress(place)).map((place) => toFunctionSelector(place))),
        addresses: new Set(places.filter((place) => isAddress(place)).map((place) => place.toLowerCase())),
      };
    } else if (project !== undefined && parts.length > 2) {
      const toDo = fourth?.replace(GRANT, "");
      entries.push({ ...project, key: first, kind: second as CauseKind, cause: third, toDo, isGrant: toDo !== fourth });
    }
  }
  return entries;
}

let catalog: readonly CatalogEntry[] | undefined;

/** Returns all entries. They are parsed when a fill first fails. */
export function listCatalog(): readonly CatalogEntry[] {
  catalog ??= [LIBRARY_CAUSES, EXCHANGE_CAUSES, LENDING_CAUSES, MARKET_CAUSES, SERVICE_CAUSES].flatMap(readCatalog);
  return catalog;
}

interface Index {
  readonly errors: ReadonlyMap<string, readonly CatalogEntry[]>;
  readonly texts: ReadonlyMap<string, readonly CatalogEntry[]>;
  readonly patterns: readonly { readonly pattern: RegExp; readonly entry: CatalogEntry }[];
}

let index: Index | undefined;

function indexCatalog(): Index {
  if (index !== undefined) return index;
  const entries = listCatalog();
  const isText = ({ key }: CatalogEntry): boolean => key.startsWith('"');
  const texts = entries.filter(isText).map((entry) => ({ entry, text: entry.key.slice(1, -1) }));
  const errors = Map.groupBy(
    entries.filter((entry) => !isText(entry)),
    ({ key }) => toFunctionSelector(`function ${withoutValues(key)}`),
  );
  index = {
    errors,
    texts: Map.groupBy(
      texts.filter(({ text }) => !text.includes("*")).map(({ entry }) => entry),
      ({ key }) => key.slice(1, -1),
    ),
    patterns: texts
      .filter(({ text }) => text.includes("*"))
      .map(({ entry, text }) => ({ entry, pattern: toPattern(text) })),
  };
  return index;
}

function toPattern(text: string): RegExp {
  const parts = text.split("*").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/gu, "\\$&"));
  return new RegExp(`^${parts.join("(.*)")}$`, "su");
}

function withoutValues(key: string): string {
  return key.replaceAll(/=\d+/gu, "");
}

/** Returns the ABI of a listed error, by selector. */
export function findListedError(data: Hex): AbiError | undefined {
  const entry = indexCatalog().errors.get(data.slice(0, 10).toLowerCase())?.[0];
  return entry && abiOf(entry);
}

function abiOf({ key }: CatalogEntry): AbiError {
  return parseAbiItem(`error ${withoutValues(key)}`) as AbiError;
}

/** Returns the entries for revert data. Several entries mean that projects use the error in different ways. */
export function findEntries(data: Hex, text: string | undefined, place: RaisedIn): readonly FoundEntry[] {
  const found = text === undefined ? entriesOfError(data) : entriesOfText(text);
  const placed = found.filter(({ entry }) => isRaisedIn(entry, place));
  return placed.length > 0 ? placed : found;
}

function entriesOfError(data: Hex): readonly FoundEntry[] {
  const entries = indexCatalog().errors.get(data.slice(0, 10).toLowerCase()) ?? [];
  const read = entries.flatMap((entry) => {
    const values = readValues(abiOf(entry), data);
    return values === undefined ? [] : [{ entry, values, required: requiredValues(entry.key) }];
  });
  const exact = read.filter(
    ({ values, required }) => required.length > 0 && required.every(([name, value]) => values[name] === value),
  );
  return exact.length > 0 ? exact : read.filter(({ required }) => required.length === 0);
}

function requiredValues(key: string): readonly (readonly [name: string, value: bigint])[] {
  return [...key.matchAll(/(\w+)=(\d+)/gu)].map(([, name = "", value = ""]) => [name, BigInt(value)]);
}

/** Returns undefined if only the selector matches. */
function readValues(abi: AbiError, data: Hex): Readonly<Record<string, unknown>> | undefined {
  try {
    const values: readonly unknown[] = decodeAbiParameters(abi.inputs, `0x${data.slice(10)}`);
    return Object.fromEntries(abi.inputs.map(({ name = "" }, position) => [name, values[position]]));
  } catch {
    return undefined;
  }
}

function entriesOfText(text: string): readonly FoundEntry[] {
  const { texts, patterns } = indexCatalog();
  const exact = texts.get(text);
  if (exact !== undefined) return exact.map((entry) => ({ entry, values: {} }));
  return patterns.flatMap(({ pattern, entry }) => {
    const match = pattern.exec(text);
    return match === null ? [] : [{ entry, values: Object.fromEntries(match.slice(1).entries()) }];
  });
}

/** Returns whether the error was raised by a contract of the entry's project, by its address or functions. */
export function isRaisedIn({ selectors, addresses }: CatalogEntry, place: RaisedIn): boolean {
  return addresses.has(place.contract.toLowerCase()) || place.selectors.some((selector) => selectors.has(selector));
}

/** Returns whether the error means this where it was raised. */
export function isCertainIn(entry: CatalogEntry, place: RaisedIn): boolean {
  return entry.isGeneral || isRaisedIn(entry, place);
}

/** Returns the cause with the error's values. */
export function describeEntry({ entry, values }: FoundEntry): string {
  return entry.cause.replaceAll(/\{(\w+)\}/gu, (_match, name: string) => describeValue(values[name]));
}

/**
 * Returns what to do, with the values of the call.
 *
 * @param values by name; empty if the contract is unknown
 */
export function describeToDo({ toDo }: CatalogEntry, values: Readonly<Record<string, unknown>>): string | undefined {
  return toDo?.replaceAll(/\{([\w.]+)\|([^}]*)\}/gu, (_match, name: string, words: string) =>
    values[name] === undefined ? words : describeValue(values[name]),
  );
}

function describeValue(value: unknown): string {
  return typeof value === "string" ||
    typeof value === "bigint" ||
    typeof value === "number" ||
    typeof value === "boolean"
    ? String(value)
    : "?";
}
