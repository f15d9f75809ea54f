// Generates the reference parts of docs/errors/, the table of docs/errors.md, docs/fail-reasons.md and
// docs/scenarios-reference.md. The rest of the pages is written by hand. `--check` writes nothing and fails if a part is
// out of date or missing.
import { ERROR_CODES, type ErrorCode } from "../packages/protocol/src/core/errors.ts";
import { type ErrorClass, readErrorClasses } from "./reference/errorClasses.ts";
import { type EntryPoint, pathOf, readEntryPoints } from "./reference/exportedNames.ts";
import { GENERATED_MARK, handwrittenPart, missingSections } from "./reference/handwrittenPart.ts";
import { toFailReasonsPage } from "./reference/failReasonsPage.ts";
import { toScenariosPage } from "./reference/scenariosPage.ts";
import { formatTable, listPages, readPage, report, writePages } from "./reference/writePages.ts";

const classes = readErrorClasses();
const entryPoints = readEntryPoints();
const codes = Object.keys(ERROR_CODES) as ErrorCode[];
const pages = new Map([
  ["docs/errors.md", toIndex(readPage("docs/errors.md") ?? "")],
  ["docs/fail-reasons.md", toFailReasonsPage()],
  ["docs/scenarios-reference.md", toScenariosPage()],
  ...codes.map((code) => [`docs/errors/${code}.md`, toPage(code)] as const),
]);
report([
  ...codes.flatMap((code) => findFaults(code)),
  ...listPages("docs/errors")
    .filter((path) => !pages.has(path))
    .map((path) => `${path} has no error code: delete it`),
  ...writePages(pages),
]);

/** Keeps the text around the table. */
function toIndex(page: string): string {
  const rows = classes.map(({ code, name }) => [`[\`${code}\`](errors/${code}.md)`, `\`${name}\``, ERROR_CODES[code]]);
  const [before = "", , after = ""] = page.split(/^(\| code [^]*?)\n(?=\n)/mu);
  return `${before}${formatTable(["code", "class", "what it means"], rows)}\n${after}`;
}

function toPage(code: ErrorCode): string {
  const body = handwrittenPart(readPage(`docs/errors/${code}.md`));
  const found = classes.filter((item) => item.code === code);
  return `${[`# ${code}`, ERROR_CODES[code], body, GENERATED_MARK, ...found.flatMap(toReference)].join("\n\n")}\n`;
}

function findFaults(code: ErrorCode): readonly string[] {
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

function toReference({ name, fields }: ErrorClass): readonly string[] {
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
    `${from} [Every error](../errors.md) also has \`code\`, \`message\`, \`hint\`, \`docsUrl\` and often \`cause\`.`,
    ...(rows.length === 0 ? [] : [formatTable(["field", "type", "meaning"], rows)]),
    ...(throwing.length === 0 ? [] : ["## Functions that throw it", throwing.join("\n")]),
  ];
}

function linkEntry(entry: EntryPoint): string {
  return `[\`${entry.name}\`](../${pathOf(entry)})`;
}
