import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import ts from "typescript";

import { ERROR_CODES, type ErrorCode } from "../../packages/protocol/src/core/errors.ts";
import { ROOT } from "./pages.ts";

/** Maximum line length. Longer signatures and types are broken into lines. */
const MAX_LINE = 110;

export type Kind = "function" | "constant" | "error" | "type";

/** A parameter of a function, or a field of a type or error, with its doc comment. */
export interface Part {
  readonly name: string;
  /** Type as in the source, on one line. */
  readonly type: string;
  readonly isOptional: boolean;
  readonly text: string;
  /** Fields of a parameter's type, if it is an object type from the packages. */
  readonly object?: { readonly typeName: string; readonly fields: readonly Part[] } | undefined;
}

export interface ExportedName {
  readonly name: string;
  readonly kind: Kind;
  /** Signature of a function or type alias, as in the source, on one line. */
  readonly signature: string | undefined;
  /** Paragraphs of the doc comment. */
  readonly description: string;
  readonly returns: string;
  /** Parameters of a function, or fields of an interface or an error. */
  readonly parts: readonly Part[];
  /** Thrown errors: class name, and condition. The name is undefined if the text refers to other functions. */
  readonly throws: readonly { readonly error: string; readonly when: string }[];
}

export interface EntryPoint {
  /** Name as in an import: `@crosscall/sdk/calls`. */
  readonly name: string;
  readonly names: readonly ExportedName[];
}

/** Supported entry points and their purpose. All others are for the kit's own packages. */
export const ENTRY_POINTS: Readonly<Record<string, string>> = {
  "@crosscall/sdk": "quote, execute, follow and list requests; call any endpoint of the service",
  "@crosscall/sdk/attestation": "request, derive and verify attestations",
  "@crosscall/sdk/calls": "compose, plan, check and decode `txs`",
  "@crosscall/sdk/migrate": "convert v2 request records to v3",
  "@crosscall/sdk/svm": "sign, send and confirm the Solana transactions of `executeSteps`",
  "@crosscall/sdk/verify": "verify that a quote matches its request; read the pinned addresses",
  "@crosscall/protocol": "use the service's schemas, orders, fees and hashes",
  "@crosscall/protocol/abi": "read the ABIs of the service's contracts and of the executor",
  "crosscall/hardhat": "fill calls and run tasks in your own Hardhat 3 project",
  "crosscall/hardhat/ignition": "deploy the release's contracts with Hardhat Ignition",
  "crosscall/localnet": "start a local network from a test or a script",
  "crosscall/preflight": "simulate both legs of a quote on forks before you sign it",
  "crosscall/replay": "replay fills on a fork",
  "crosscall/testing": "test with fills, Chai matchers, and wallets and nodes that misbehave",
  "crosscall/testing/browser": "use a wallet and a local network in Playwright tests of your web app",
  "crosscall/testing/register": "register the Chai matchers of `crosscall/testing`",
};

/** Returns the path of an entry point's page in docs/: `api/sdk-calls.md` for `@crosscall/sdk/calls`. */
export function pathOf({ name }: Pick<EntryPoint, "name">): string {
  return `api/${name.replace(/^@?crosscall\//u, "").replaceAll("/", "-")}.md`;
}

/** Reads the names that the supported entry points export. */
export function readEntryPoints(): readonly EntryPoint[] {
  const files = Object.keys(ENTRY_POINTS).map((name) => ({ name, file: sourceOf(name) }));
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(`${ROOT}tsconfig.json`, (path) => ts.sys.readFile(path)).config,
    ts.sys,
    ROOT,
  );
  const program = ts.createProgram(
    files.map(({ file }) => file),
    options,
  );
  const checker = program.getTypeChecker();
  return files.map(({ name, file }) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
    const names = symbols
      .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
      .map((symbol) => readName(symbol, checker))
      .sort((left, right) => (left.name.toLowerCase() < right.name.toLowerCase() ? -1 : 1));
    return { name, names };
  });
}

/** Returns the source of an entry point. In the checkout, packages export their sources. */
function sourceOf(name: string): string {
  return fileURLToPath(import.meta.resolve(name));
}

function readName(symbol: ts.Symbol, checker: ts.TypeChecker): ExportedName {
  const [declaration] = symbol.declarations ?? [];
  if (declaration === undefined) throw new Error(`${symbol.name} has no declaration`);
  const tags = ts.getJSDocTags(declaration);
  const kind = kindOf(symbol, declaration, checker);
  return {
    name: symbol.name,
    kind,
    signature: signatureOf(declaration),
    description: toParagraphs(
      symbol
        .getDocumentationComment(checker)
        .map((part) =>
          part.kind === "linkText"
            ? `\`${part.text.trim()}\``
            : part.kind === "linkName"
              ? `\`${part.text}\``
              : part.kind.startsWith("link")
                ? ""
                : part.text,
        )
        .join(""),
    ),
    returns: tags.filter(ts.isJSDocReturnTag).map(textOf).join(" "),
    parts: partsOf(declaration, checker),
    throws: readThrows(declaration),
  };
}

function kindOf(symbol: ts.Symbol, declaration: ts.Declaration, checker: ts.TypeChecker): Kind {
  if (ts.isFunctionDeclaration(declaration)) return "function";
  if (ts.isClassDeclaration(declaration)) return "error";
  if (ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration)) return "type";
  return checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0 ? "function" : "constant";
}

function signatureOf(declaration: ts.Declaration): string | undefined {
  if (ts.isTypeAliasDeclaration(declaration)) return typeOf(declaration);
  if (!ts.isFunctionDeclaration(declaration)) return undefined;
  const parameters = declaration.parameters.map((parameter) => {
    const { name, isOptional, type } = toParameter(parameter);
    return `${name}${isOptional ? "?" : ""}: ${type}`;
  });
  const types = declaration.typeParameters?.map((parameter) => parameter.getText()).join(", ");
  const name = `${declaration.name?.text}${types === undefined ? "" : `<${types}>`}`;
  const result = `: ${toLine(declaration.type?.getText() ?? "unknown")}`;
  const line = `${name}(${parameters.join(", ")})${result}`;
  return line.length <= MAX_LINE ? line : `${name}(${parameters.map((text) => `\n  ${text},`).join("")}\n)${result}`;
}

function typeOf({ type }: ts.TypeAliasDeclaration): string {
  const line = toLine(type.getText());
  if (line.length <= MAX_LINE || !ts.isUnionTypeNode(type)) return line;
  return type.types.map((member) => `\n  | ${toLine(member.getText())}`).join("");
}

function partsOf(declaration: ts.Declaration, checker: ts.TypeChecker): readonly Part[] {
  if (ts.isFunctionDeclaration(declaration)) {
    return declaration.parameters.map((parameter) => ({
      ...toParameter(parameter),
      object: objectOf(parameter, checker),
    }));
  }
  if (ts.isInterfaceDeclaration(declaration)) return fieldsOfType(checker.getTypeAtLocation(declaration));
  return ts.isClassDeclaration(declaration) ? fieldsOf(declaration) : [];
}

function toParameter(parameter: ts.ParameterDeclaration): Part {
  return {
    name: ts.isIdentifier(parameter.name) ? parameter.name.text : "parameters",
    type: toLine(parameter.type?.getText() ?? "unknown"),
    isOptional: parameter.questionToken !== undefined || parameter.initializer !== undefined,
    text: ts.getJSDocParameterTags(parameter).map(textOf).join(" "),
  };
}

function objectOf({ type }: ts.ParameterDeclaration, checker: ts.TypeChecker): Part["object"] {
  if (type === undefined || !ts.isTypeReferenceNode(type)) return undefined;
  const fields = fieldsOfType(checker.getTypeAtLocation(type));
  return fields.length === 0 ? undefined : { typeName: type.typeName.getText(), fields };
}

/** Lists the fields that this repository declares, including inherited ones. */
function fieldsOfType(type: ts.Type): readonly Part[] {
  if (type.isUnion()) return [];
  return type.getProperties().flatMap(({ declarations: [declaration] = [] }) => {
    if (declaration === undefined || declaration.getSourceFile().fileName.includes("/node_modules/")) return [];
    return toField(declaration);
  });
}

/** Lists the public fields of a class, without its code. */
function fieldsOf(declaration: ts.ClassDeclaration): readonly Part[] {
  return declaration.members.flatMap(toField).filter(({ name }) => name !== "code");
}

function toField(member: ts.Node): readonly Part[] {
  if (!ts.isPropertySignature(member) && !ts.isPropertyDeclaration(member) && !ts.isMethodSignature(member)) return [];
  if (!ts.isIdentifier(member.name)) return [];
  const comments = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc);
  const type = ts.isMethodSignature(member)
    ? member.getText().slice(member.name.getText().length + (member.questionToken === undefined ? 0 : 1))
    : member.type?.getText();
  return [
    {
      name: member.name.text,
      // A field without a type is a constant string.
      type: toLine(type ?? "string").replace(/;$/u, ""),
      isOptional: member.questionToken !== undefined,
      text: comments.map((comment) => toLine(commentOf(comment.comment))).join(" "),
    },
  ];
}

/** Reads the text of the comment, because the compiler parses the braces of a link as a type. */
function readThrows(declaration: ts.Declaration): ExportedName["throws"] {
  return ts
    .getJSDocCommentsAndTags(declaration)
    .flatMap((comment) =>
      comment
        .getText()
        .replace(/\*\/$/u, "")
        .split(/^\s*\/?\*+\s*@/mu),
    )
    .filter((tag) => tag.startsWith("throws"))
    .flatMap((tag) => toLine(tag.slice("throws".length).replaceAll(/^ *\*/gmu, "")).split(/; (?=\{@link \w+Error\})/u))
    .map((text) => {
      const [, error = "", when = text] = /^(?:\{@link )?(\w+Error)\}?,? ?(.*)$/u.exec(text) ?? [];
      return { error, when: when.replaceAll(/\{@link (\w+)\}/gu, "`$1`") };
    });
}

function textOf(tag: ts.JSDocTag): string {
  return toLine(commentOf(tag.comment)).replace(/^- /u, "");
}

function commentOf(comment: string | ts.NodeArray<ts.JSDocComment> | undefined): string {
  if (comment === undefined || typeof comment === "string") return comment ?? "";
  return comment
    .map((part) =>
      part.kind === ts.SyntaxKind.JSDocText
        ? part.text
        : `\`${"name" in part ? part.name.getText() : ""}\`${part.text}`,
    )
    .join("");
}

function toLine(text: string): string {
  return text
    .replaceAll(/\/\*\*.*?\*\//gsu, "")
    .replaceAll(/\s+/gu, " ")
    .trim();
}

function toParagraphs(text: string): string {
  return text
    .split("\n\n")
    .map((paragraph) => (/^[-*] /mu.test(paragraph) ? paragraph.trim() : toLine(paragraph)))
    .join("\n\n");
}

export interface ErrorClass {
  readonly code: ErrorCode;
  readonly name: string;
  readonly fields: readonly Part[];
}

/** Reads the exported classes of the packages that declare an error code, in the order of the codes. */
export function readErrorClasses(): readonly ErrorClass[] {
  const classes = globSync("packages/{protocol,sdk,oracle,crosscall}/src/**/*.ts", { cwd: ROOT }).flatMap(readFile);
  return (Object.keys(ERROR_CODES) as ErrorCode[]).flatMap((code) => classes.filter((found) => found.code === code));
}

function readFile(path: string): readonly ErrorClass[] {
  const text = readFileSync(`${ROOT}${path}`, "utf8");
  if (!text.includes("readonly code = ")) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return source.statements.filter(ts.isClassDeclaration).flatMap(readClass);
}

function readClass(declaration: ts.ClassDeclaration): readonly ErrorClass[] {
  const values = declaration.members.flatMap((member) =>
    ts.isPropertyDeclaration(member) &&
    member.name.getText() === "code" &&
    member.initializer !== undefined &&
    ts.isStringLiteral(member.initializer)
      ? [member.initializer.text]
      : [],
  );
  const code = (Object.keys(ERROR_CODES) as ErrorCode[]).find((known) => values.includes(known));
  const isExported = declaration.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
  if (code === undefined || declaration.name === undefined || !isExported) return [];
  return [{ code, name: declaration.name.text, fields: fieldsOf(declaration) }];
}
