import { ERROR_CODES, type ErrorCode } from "../../packages/protocol/src/core/errors.ts";
import { type EntryPoint, type ErrorClass, pathOf, readEntryPoints, readErrorClasses } from "./sources.ts";
import { formatTable, type Generated, GENERATED_MARK, listPages, readPage, withTable } from "./pages.ts";

/** Required sections of an error page, in order. */
const SECTIONS = ["When it is thrown", "How to fix it", "Example"];

/** Generates the reference parts of docs/errors/, and the table of docs/errors.md. The rest is handwritten. */
export function generate(): Generated {
  const classes = readErrorClasses();
  const entryPoints = readEntryPoints();
  const codes = Object.keys(ERROR_CODES) as ErrorCode[];
  const rows = classes.map(({ code, name }) => [`[\`${code}\`](errors/${code}.md)`, `\`${name}\``, ERROR_CODES[code]]);
  const pages = new Map([
    ["docs/errors.md", withTable("docs/errors.md", ["code", "class", "what it means"], rows)],
    ...codes.map((code) => {
      const references = classes.filter((item) => item.code === code).flatMap((item) => toReference(item, entryPoints));
      return [`docs/errors/${code}.md`, toPage(code, references)] as const;
    }),
  ]);
  const faults = [
    ...codes.flatMap((code) => findFaults(code, classes)),
    ...listPages("docs/errors")
      .filter((path) => !pages.has(path))
      .map((path) => `${path} has no error code: delete it`),
  ];
  return { pages, faults };
}

function toPage(code: ErrorCode, references: readonly string[]): string {
  const body = handwrittenPart(readPage(`docs/errors/${code}.md`));
  return `${[`# ${code}`, ERROR_CODES[code], body, GENERATED_MARK, ...references].join("\n\n")}\n`;
}

/** Returns the text between a page's first paragraph and its reference. A new page starts with empty sections. */
export function handwrittenPart(page: string | undefined): string {
  if (page === undefined) return SECTIONS.map((title) => `## ${title}`).join("\n\n");
  const [text = ""] = page.split(GENERATED_MARK, 1);
  return text.slice(text.indexOf("\n## ")).trim();
}

/** Returns the titles of sections that are missing or empty. */
export function missingSections(page: string): readonly string[] {
  const sections = handwrittenPart(page).split(/^## /mu);
  return SECTIONS.filter((title) => !sections.some((text) => text.startsWith(`${title}\n\n`) && text.trim() !== title));
}

function findFaults(code: ErrorCode, classes: readonly ErrorClass[]): readonly string[] {
  const path = `docs/errors/${code}.md`;
  const found = classes.filter((item) => item.code === code);
  return [
    ...missingSections(readPage(path) ?? "").map((title) => `${path} has no text under "## ${title}"`),
    ...(found.length === 1 ? [] : [`${code} has ${found.length} classes`]),
    ...found.flatMap(({ name, fields }) =>
      fields.filter(({ text }) => text === "").map((field) => `${name}.${field.name} has no doc comment`),
    ),
  ];
}

function toReference({ name, fields }: ErrorClass, entryPoints: readonly EntryPoint[]): readonly string[] {
  const exporting = entryPoints.filter((entry) => entry.names.some((exported) => exported.name === name));
  const from =
    exporting.length === 0
      ? `The class \`${name}\` is not exported: compare \`code\`.`
      : `Class \`${name}\` of ${exporting.map(linkEntry).join(" and ")}.`;
  const rows = fields.map((field) => [
    `\`${field.name}${field.isOptional ? "?" : ""}\``,
    `\`${field.type}\``,
    field.text,
  ]);
  const throwing = entryPoints.flatMap((entry) =>
    entry.names.flatMap((exported) =>
      exported.throws
        .filter(({ error }) => error === name)
        .map(({ when }) =>
          `- [\`${exported.name}\`](../${pathOf(entry)}#${exported.name.toLowerCase()}) ${when}`.trimEnd(),
        ),
    ),
  );
  return [
    "## Fields",
    `${from} [Every error](../errors.md) also has \`code\`, \`message\`, \`hint\`, \`docs\` and often \`cause\`.`,
    ...(rows.length === 0 ? [] : [formatTable(["field", "type", "meaning"], rows)]),
    ...(throwing.length === 0 ? [] : ["## Functions that throw it", throwing.join("\n")]),
  ];
}

function linkEntry(entry: EntryPoint): string {
  return `[\`${entry.name}\`](../${pathOf(entry)})`;
}
