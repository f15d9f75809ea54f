// Generates docs/api.md: every exported name with its signature and the first sentence of its doc comment. `--check`
// writes nothing and fails if the page is out of date.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import ts from "typescript";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGE = new URL("../../docs/api.md", import.meta.url);

/** Limit of exported names, because every name must stay supported. */
const MAX_NAMES = 390;

const MAX_SIGNATURE = 240;

const HEAD = `# API reference

Generated from the sources by \`npm run generate\`. The pages linked in the [README](../README.md#documentation) show how to use
these functions; this page lists every exported name.
`;

const KINDS = [
  { kind: "function", title: "Functions" },
  { kind: "constant", title: "Constants" },
  { kind: "error", title: "Errors" },
  { kind: "type", title: "Types" },
] as const;

type Kind = (typeof KINDS)[number]["kind"];

interface EntryPoint {
  readonly name: string;
  readonly file: string;
}

interface ExportedName {
  readonly name: string;
  readonly kind: Kind;
  readonly signature: string | undefined;
  readonly summary: string;
}

const entryPoints = [...readEntryPoints("sdk/package.json"), ...readEntryPoints("package.json")];
const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(`${ROOT}tsconfig.json`, (path) => ts.sys.readFile(path)).config,
  ts.sys,
  ROOT,
);
const program = ts.createProgram(
  entryPoints.map(({ file }) => file),
  options,
);
const checker = program.getTypeChecker();

const sections = entryPoints.map((entry) => ({ ...entry, names: readNames(entry) }));
const names = sections.flatMap((section) => section.names);
const undocumented = sections.flatMap(({ name, names }) =>
  names.filter(({ summary }) => summary === "").map((exported) => `${name}: ${exported.name}`),
);
const page = [HEAD, ...sections.map(toSection)].join("\n");

const faults = [
  ...undocumented.map((name) => `${name} has no doc comment`),
  ...(names.length < MAX_NAMES ? [] : [`${names.length} names are exported, ${MAX_NAMES} or more are too many`]),
];
if (!process.argv.includes("--check")) writeFileSync(PAGE, page);
else if (readExisting() !== page) faults.push("docs/api.md is out of date: run `npm run generate`");
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else console.log(`${names.length} names in ${entryPoints.length} entry points`);

function readEntryPoints(manifest: string): readonly EntryPoint[] {
  const { name, exports } = JSON.parse(readFileSync(`${ROOT}${manifest}`, "utf8")) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, string>>;
  };
  const folder = manifest.slice(0, -"package.json".length);
  return Object.entries(exports)
    .filter(([path, file]) => file.endsWith(".ts") && !path.includes("*"))
    .map(([path, file]) => ({
      name: `${name}${path.slice(1)}`,
      file: `${ROOT}${folder}${file.slice(2)}`,
    }));
}

function readNames({ file }: EntryPoint): readonly ExportedName[] {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) return [];
  return checker
    .getExportsOfModule(module)
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
    .map(readName)
    .sort((left, right) => (left.name.toLowerCase() < right.name.toLowerCase() ? -1 : 1));
}

function readName(symbol: ts.Symbol): ExportedName {
  const [declaration] = symbol.declarations ?? [];
  if (declaration === undefined) throw new Error(`${symbol.name} has no declaration`);
  return {
    name: symbol.name,
    kind: kindOf(symbol, declaration),
    signature: signatureOf(declaration),
    summary: summaryOf(symbol),
  };
}

function kindOf(symbol: ts.Symbol, declaration: ts.Declaration): Kind {
  if (ts.isFunctionDeclaration(declaration)) return "function";
  if (ts.isClassDeclaration(declaration)) return "error";
  if (ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration)) return "type";
  return checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0 ? "function" : "constant";
}

function signatureOf(declaration: ts.Declaration): string | undefined {
  if (!ts.isFunctionDeclaration(declaration)) return undefined;
  const parameters = declaration.parameters.map((parameter) => {
    const name = ts.isIdentifier(parameter.name) ? parameter.name.text : "options";
    const isOptional = parameter.questionToken !== undefined || parameter.initializer !== undefined;
    return `${name}${isOptional ? "?" : ""}: ${parameter.type?.getText() ?? "unknown"}`;
  });
  const signature = `${declaration.name?.text}(${parameters.join(", ")}): ${declaration.type?.getText() ?? "unknown"}`;
  const line = signature.replaceAll(/\s+/gu, " ");
  return line.length > MAX_SIGNATURE ? `${line.slice(0, MAX_SIGNATURE)}...` : line;
}

/** The first paragraph of a doc comment. */
function summaryOf(symbol: ts.Symbol): string {
  const text = symbol
    .getDocumentationComment(checker)
    .map((part) =>
      part.kind === "linkText" ? `\`${part.text.trim()}\`` : part.kind.startsWith("link") ? linkText(part) : part.text,
    )
    .join("");
  return (text.split("\n\n")[0] ?? "").replaceAll(/\s+/gu, " ").trim();
}

function linkText({ kind, text }: ts.SymbolDisplayPart): string {
  return kind === "linkName" ? `\`${text}\`` : "";
}

function toSection({ name, names }: EntryPoint & { readonly names: readonly ExportedName[] }): string {
  const groups = KINDS.flatMap(({ kind, title }) => {
    const items = names.filter((exported) => exported.kind === kind).map(toItem);
    return items.length === 0 ? [] : [`### ${title}`, "", ...items, ""];
  });
  return [`## ${name}`, "", ...groups].join("\n");
}

function toItem({ name, signature = name, summary }: ExportedName): string {
  return `- \`${signature}\`: ${summary}`;
}

function readExisting(): string | undefined {
  try {
    return readFileSync(PAGE, "utf8");
  } catch {
    return undefined;
  }
}
