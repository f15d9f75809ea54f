// Generates docs/api.md and docs/api/: every exported name with its doc comment, one page per entry point. `--check`
// writes nothing and fails if a page is out of date.
import { readErrorClasses } from "./reference/errorClasses.ts";
import {
  type EntryPoint,
  type ExportedName,
  type Kind,
  type Part,
  pathOf,
  readEntryPoints,
} from "./reference/exportedNames.ts";
import { formatTable, report, writePages } from "./reference/writePages.ts";

/** Limit of exported names, because every name must stay supported. */
const MAX_NAMES = 390;

/** Longer types of fields and parameters are cut; the sources have them in full. */
const MAX_TYPE = 120;

const CONTENTS: Readonly<Record<string, string>> = {
  "@crosscall/sdk": "quote, execute, follow and list requests; all endpoints of the service",
  "@crosscall/sdk/abi": "ABIs of the service's contracts and of the executor",
  "@crosscall/sdk/attestation": "request, derive and verify attestations",
  "@crosscall/sdk/calls": "compose, plan, check and decode `txs`",
  "@crosscall/sdk/migrate": "convert v2 request records to v3",
  "@crosscall/sdk/protocol": "schemas, orders, fees and hashes of the service",
  "@crosscall/sdk/verify": "verify that a quote does what was asked for; pinned addresses",
  "crosscall/hardhat": "Hardhat 3 plugin: fills and tasks in your own project",
  "crosscall/hardhat/ignition": "Ignition modules of the release's contracts",
  "crosscall/localnet": "start a local network from a test or a script",
  "crosscall/preflight": "simulate both legs of a quote on forks before it is signed",
  "crosscall/replay": "replay fills on a fork",
  "crosscall/testing": "fills and Chai matchers for your own Hardhat tests, and wallets and nodes that misbehave",
  "crosscall/testing/browser": "a wallet and a local network for Playwright tests of your web app",
  "crosscall/testing/register": "registers the Chai matchers of `crosscall/testing`",
};

const KINDS: readonly { readonly kind: Kind; readonly title: string }[] = [
  { kind: "function", title: "Functions" },
  { kind: "constant", title: "Constants" },
  { kind: "error", title: "Errors" },
  { kind: "type", title: "Types" },
];

const codes = new Map(readErrorClasses().map(({ name, code }) => [name, code]));
const entryPoints = readEntryPoints();
const names = entryPoints.flatMap((entry) => entry.names);
const pages = new Map([
  ["docs/api.md", toIndex(entryPoints)],
  ...entryPoints.map((entry) => [`docs/${pathOf(entry)}`, toPage(entry)] as const),
]);
report([
  ...entryPoints.flatMap((entry) =>
    entry.names
      .filter(({ description }) => description === "")
      .map(({ name }) => `${entry.name}: ${name} has no doc comment`),
  ),
  ...entryPoints.filter(({ name }) => CONTENTS[name] === undefined).map(({ name }) => `${name} has no contents`),
  ...(names.length < MAX_NAMES ? [] : [`${names.length} names are exported, ${MAX_NAMES} or more are too many`]),
  ...writePages(pages, "docs/api"),
]);
if (process.exitCode !== 1) console.log(`${names.length} names in ${entryPoints.length} entry points`);

function toIndex(entries: readonly EntryPoint[]): string {
  const rows = entries.map((entry) => [
    `[\`${entry.name}\`](${pathOf(entry)})`,
    CONTENTS[entry.name] ?? "",
    String(entry.names.length),
  ]);
  return `# API reference

Find what an import exports: every function with its parameters and errors, every constant and every type. Generated from the
sources by \`npm run generate\`. The [guide](guide.md) shows how to use them together; [errors](errors.md) has a page for each
error code.

${formatTable(["import from", "to", "names"], rows)}

Names that are not listed here, and paths below \`@crosscall/sdk/internal/\`, may change in any release.
`;
}

function toPage(entry: EntryPoint): string {
  const { name, names: exported } = entry;
  const groups = KINDS.flatMap(({ kind, title }) => {
    const items = exported.filter((item) => item.kind === kind);
    return items.length === 0 ? [] : [`## ${title}`, ...items.map((item) => toSection(item, entry))];
  });
  const contents = CONTENTS[name] ?? "";
  const intro = `${contents.charAt(0).toUpperCase()}${contents.slice(1)}. Generated from the sources by \`npm run generate\`.`;
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
