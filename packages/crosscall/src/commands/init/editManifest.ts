import { InvalidInputError } from "@crosscall/protocol/core";
import ts from "typescript";

export type ManifestSection = "dependencies" | "devDependencies" | "scripts";

/** Fields of a package.json that are read. */
export interface ProjectManifest {
  readonly type?: string;
  readonly packageManager?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

/** @throws {@link InvalidInputError} if it is no package.json */
export function readManifest(text: string): ProjectManifest {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/u, ""));
  } catch (cause) {
    throw invalidManifest("it is not JSON", cause);
  }
  if (!isObject(value)) throw invalidManifest("it is not an object");
  for (const section of ["dependencies", "devDependencies", "peerDependencies", "scripts"]) {
    if (value[section] !== undefined && !isObject(value[section])) throw invalidManifest(`${section} is not an object`);
  }
  return value;
}

/** Adds entries and leaves everything else as it is written. Sorts new entries among dependencies, as npm does. */
export function addEntries(text: string, section: ManifestSection, entries: Readonly<Record<string, string>>): string {
  let edited = text;
  for (const [name, value] of Object.entries(entries)) edited = addEntry(edited, section, name, value);
  return edited;
}

function addEntry(text: string, section: ManifestSection, name: string, value: string): string {
  const source = ts.parseJsonText("package.json", text);
  const root = source.statements[0]?.expression;
  if (root === undefined || !ts.isObjectLiteralExpression(root)) throw invalidManifest("it is not an object");
  const indent = /^([ \t]+)"/mu.exec(text)?.[1] ?? "  ";
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const place: Place = { text, source, line: `${eol}${indent}`, end: eol };
  const property = `${JSON.stringify(name)}: ${JSON.stringify(value)}`;
  const found = propertiesOf(root).find((each) => nameOf(each) === section)?.initializer;
  if (found === undefined || !ts.isObjectLiteralExpression(found)) {
    const inner = `"${section}": {${place.line}${indent}${property}${place.line}}`;
    return insert(place, root, root.properties.length, inner);
  }
  const properties = propertiesOf(found);
  const at = section === "scripts" ? -1 : properties.findIndex((each) => nameOf(each) > name);
  const inside = { ...place, line: `${place.line}${indent}`, end: place.line };
  return insert(inside, found, at === -1 ? properties.length : at, property);
}

interface Place {
  readonly text: string;
  readonly source: ts.JsonSourceFile;
  /** What goes before a property of the object. */
  readonly line: string;
  /** What goes before the end of the object. */
  readonly end: string;
}

/** An object on one line gets a line for each property. */
function insert(
  { text, source, line, end }: Place,
  object: ts.ObjectLiteralExpression,
  index: number,
  property: string,
): string {
  const start = object.getStart(source);
  const texts = object.properties.map((each) => each.getText(source));
  const next = object.properties[index];
  const before = object.properties[index - 1];
  if (texts.length === 0 || !text.slice(start, object.end).includes("\n")) {
    const all = texts.toSpliced(index, 0, property);
    return `${text.slice(0, start)}{${line}${all.join(`,${line}`)}${end}}${text.slice(object.end)}`;
  }
  if (before !== undefined) return `${text.slice(0, before.end)},${line}${property}${text.slice(before.end)}`;
  const at = next?.getStart(source) ?? object.end - 1;
  return `${text.slice(0, at)}${property},${line}${text.slice(at)}`;
}

function propertiesOf(object: ts.ObjectLiteralExpression): readonly ts.PropertyAssignment[] {
  return object.properties.filter((property) => ts.isPropertyAssignment(property));
}

function nameOf({ name }: ts.PropertyAssignment): string {
  return ts.isStringLiteral(name) ? name.text : "";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalidManifest(reason: string, cause?: unknown): InvalidInputError {
  return new InvalidInputError({
    field: "package.json",
    value: undefined,
    reason,
    hint: "Correct the file, and run the command again.",
    cause,
  });
}
