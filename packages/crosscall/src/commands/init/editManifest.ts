import { InvalidInputError } from "@crosscall/protocol/core";

export type ManifestSection = "dependencies" | "devDependencies" | "scripts";

/** Fields to read from a package.json. */
export interface ProjectManifest {
  readonly type?: string;
  readonly packageManager?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

/** @throws {@link InvalidInputError} if the text is not a package.json */
export function readManifest(text: string): ProjectManifest {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/u, ""));
  } catch (cause) {
    throw invalidManifest("it is not JSON", { value: text, cause });
  }
  if (!isObject(value)) throw invalidManifest("it is not a JSON object", { value });
  for (const section of ["dependencies", "devDependencies", "peerDependencies", "scripts"]) {
    const entries = value[section];
    if (entries !== undefined && !isObject(entries)) {
      throw invalidManifest(`it has ${section} that are not an object`, { value });
    }
  }
  return value;
}

/** Adds entries to a package.json and keeps all other text. Inserts dependencies in alphabetical order, as npm does. */
export function addEntries(text: string, section: ManifestSection, entries: Readonly<Record<string, string>>): string {
  let edited = text;
  for (const [name, value] of Object.entries(entries)) edited = addEntry(edited, section, name, value);
  return edited;
}

function addEntry(text: string, section: ManifestSection, name: string, value: string): string {
  const root = readObject(text, text.indexOf("{"));
  const indent = /^([ \t]+)"/mu.exec(text)?.[1] ?? "  ";
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const line = `${eol}${indent}`;
  const property = `${JSON.stringify(name)}: ${JSON.stringify(value)}`;
  const found = root.members.find((member) => member.name === section);
  if (found === undefined) {
    const inner = `"${section}": {${line}${indent}${property}${line}}`;
    return insert(text, root, { index: root.members.length, property: inner, line, end: eol });
  }
  const object = readObject(text, found.value);
  const at = section === "scripts" ? -1 : object.members.findIndex((member) => member.name > name);
  const index = at === -1 ? object.members.length : at;
  return insert(text, object, { index, property, line: `${line}${indent}`, end: line });
}

/** Offsets in the text. */
interface Member {
  readonly name: string;
  readonly start: number;
  readonly value: number;
  readonly end: number;
}

interface JsonObject {
  readonly start: number;
  readonly end: number;
  readonly members: readonly Member[];
}

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gu;

/** @param start offset of an object in valid JSON */
function readObject(text: string, start: number): JsonObject {
  const members: Member[] = [];
  let depth = 0;
  let isName = true;
  for (const { 0: token, index } of text.slice(start).matchAll(TOKENS)) {
    const [at, end] = [start + index, start + index + token.length];
    if (token === "}" || token === "]") depth -= 1;
    if (depth === 0 && token === "}") return { start, end, members };
    const last = members.at(-1);
    if (depth === 1 && token === ",") {
      isName = true;
    } else if (depth === 1 && isName) {
      members.push({ name: JSON.parse(token) as string, start: at, value: -1, end });
      isName = false;
    } else if (depth === 1 && token !== ":" && last !== undefined) {
      members[members.length - 1] = { ...last, value: last.value < 0 ? at : last.value, end };
    }
    if (token === "{" || token === "[") depth += 1;
  }
  throw invalidManifest("it is not an object", { value: text });
}

interface Insertion {
  readonly index: number;
  readonly property: string;
  /** Text before a property of the object. */
  readonly line: string;
  /** Text before the end of the object. */
  readonly end: string;
}

/** Inserts a property. An object on one line is split into one line per property. */
function insert(text: string, object: JsonObject, { index, property, line, end }: Insertion): string {
  const { start, members } = object;
  if (members.length === 0 || !text.slice(start, object.end).includes("\n")) {
    const all = members.map((member) => text.slice(member.start, member.end)).toSpliced(index, 0, property);
    return `${text.slice(0, start)}{${line}${all.join(`,${line}`)}${end}}${text.slice(object.end)}`;
  }
  const before = members[index - 1];
  if (before !== undefined) return `${text.slice(0, before.end)},${line}${property}${text.slice(before.end)}`;
  const at = members[index]?.start ?? object.end - 1;
  return `${text.slice(0, at)}${property},${line}${text.slice(at)}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalidManifest(
  reason: string,
  { value, cause }: { readonly value: unknown; readonly cause?: unknown },
): InvalidInputError {
  return new InvalidInputError({
    field: "package.json",
    value,
    reason,
    hint: "Correct the file, and run the command again.",
    cause,
  });
}
