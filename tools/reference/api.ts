import {
  ENTRY_POINTS,
  type EntryPoint,
  type ExportedName,
  type Kind,
  type Part,
  pathOf,
  readEntryPoints,
  readErrorClasses,
} from "./sources.ts";
import { formatTable, type Generated, withTable } from "./pages.ts";

/** Maximum number of exported names, because every name must stay supported. */
const MAX_NAMES = 350;

/** Maximum length of the type of a field or parameter. Longer types are cut; the sources contain them in full. */
const MAX_TYPE = 120;

const KINDS: readonly { readonly kind: Kind; readonly title: string }[] = [
  { kind: "function", title: "Functions" },
  { kind: "constant", title: "Constants" },
  { kind: "error", title: "Errors" },
  { kind: "type", title: "Types" },
];

const codes = new Map(readErrorClasses().map(({ name, code }) => [name, code]));
const entryPoints = readEntryPoints();
const names = entryPoints.flatMap((entry) => entry.names);

/**
 * Generates docs/api/, with one page per entry point that lists its exported names and their doc comments, and the
 * table of docs/api.md.
 */
export function generate(): Generated {
  const rows = entryPoints.map((entry) => [`[\`${entry.name}\`](${pathOf(entry)})`, ENTRY_POINTS[entry.name] ?? ""]);
  const pages = new Map([
    ["docs/api.md", withTable("docs/api.md", ["import from", "to"], rows)],
    ...entryPoints.map((entry) => [`docs/${pathOf(entry)}`, toPage(entry)] as const),
  ]);
  const faults = [
    ...entryPoints.flatMap((entry) =>
      entry.names
        .filter(({ description }) => description === "")
        .map(({ name }) => `${entry.name}: ${name} has no doc comment`),
    ),
    ...(names.length < MAX_NAMES ? [] : [`${names.length} names are exported, ${MAX_NAMES} or more are too many`]),
  ];
  return { pages, faults };
}

function toPage(entry: EntryPoint): string {
  const { name, names: exported } = entry;
  const groups = KINDS.flatMap(({ kind, title }) => {
    const items = exported.filter((item) => item.kind === kind);
    return items.length === 0 ? [] : [`## ${title}`, ...items.map((item) => toSection(item, entry))];
  });
  const contents = ENTRY_POINTS[name] ?? "";
  const intro = `${contents.charAt(0).toUpperCase()}${contents.slice(1)}.`;
  return `${[`# ${name}`, intro, ...groups].join("\n\n")}\n`;
}

function toSection(item: ExportedName, entry: EntryPoint): string {
  const { name, kind, signature, description, returns, throws } = item;
  return [
    `### ${name}`,
    ...(codes.has(name)
      ? [`${description} See [\`${codes.get(name)}\`](../errors/${codes.get(name)}.md).`]
      : [description]),
    ...(kind === "function" && signature !== undefined ? [toCode(signature)] : []),
    ...(kind === "type" && signature !== undefined
      ? [toCode(`type ${name} =${signature.startsWith("\n") ? "" : " "}${signature}`)]
      : []),
    ...partsOf(item, entry),
    ...(returns === "" ? [] : [`**Returns** ${returns}`]),
    ...(throws.length === 0 ? [] : [`**Throws**`, throws.map(toThrows).join("\n")]),
  ].join("\n\n");
}

function partsOf({ kind, parts }: ExportedName, entry: EntryPoint): readonly string[] {
  if (kind !== "function") return parts.length === 0 ? [] : [toFields(parts)];
  return parts.flatMap(({ name, text, object }) => {
    const isExported = names.some((exported) => exported.name === object?.typeName);
    const isHere = entry.names.some((exported) => exported.name === object?.typeName);
    const type =
      isHere && object?.typeName !== "ServiceClient"
        ? `[\`${object?.typeName}\`](#${object?.typeName.toLowerCase()})`
        : "";
    const about = [text, type === "" ? "" : `See ${type}.`].filter((part) => part !== "").join(" ");
    return [
      ...(about === "" ? [] : [`**\`${name}\`** ${about}`]),
      ...(object === undefined || isExported
        ? []
        : [...(about === "" ? [`**\`${name}\`**`] : []), toFields(object.fields)]),
    ];
  });
}

function toFields(parts: readonly Part[]): string {
  const rows = parts.map(({ name, type, isOptional, text }) => [
    `\`${name}${isOptional ? "?" : ""}\``,
    `\`${type.length > MAX_TYPE ? `${type.slice(0, MAX_TYPE)}…` : type}\``,
    text,
  ]);
  return formatTable(["field", "type", "meaning"], rows);
}

function toThrows({ error, when }: ExportedName["throws"][number]): string {
  const code = codes.get(error);
  const shown = code === undefined ? `\`${error}\`` : `[\`${error}\`](../errors/${code}.md)`;
  return error === "" ? `- ${when}` : `- ${shown} ${when}`.trimEnd();
}

function toCode(text: string): string {
  return ["```typescript", text, "```"].join("\n");
}
