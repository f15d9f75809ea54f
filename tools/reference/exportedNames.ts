import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import ts from "typescript";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Longer signatures and types are broken into lines. */
const MAX_LINE = 110;

export type Kind = "function" | "constant" | "error" | "type";

/** A parameter, a field of a type or an error with its doc comment. */
export interface Part {
  readonly name: string;
  /** As in the source, in one line. */
  readonly type: string;
  readonly isOptional: boolean;
  readonly text: string;
  /** Of a parameter that is an object of a type of the packages. */
  readonly object?: { readonly typeName: string; readonly fields: readonly Part[] } | undefined;
}

export interface ExportedName {
  readonly name: string;
  readonly kind: Kind;
  /** Of a function or a type alias, as in the source, in one line. */
  readonly signature: string | undefined;
  /** The paragraphs of the doc comment. */
  readonly description: string;
  readonly returns: string;
  /** Parameters of a function, or fields of an interface or an error. */
  readonly parts: readonly Part[];
  /** Errors by the name of their class, and when each is thrown. No name if the text refers to other functions. */
  readonly throws: readonly { readonly error: string; readonly when: string }[];
}

export interface EntryPoint {
  /** As in an import: `@crosscall/sdk/calls`. */
  readonly name: string;
  readonly names: readonly ExportedName[];
}

/** The page of an entry point below docs/: `api/sdk-calls.md` for `@crosscall/sdk/calls`. */
export function pathOf({ name }: EntryPoint): string {
  return `api/${name.replace(/^@?crosscall\//u, "").replaceAll("/", "-")}.md`;
}

/** Reads the names that the entry points of the packages export. */
export function readEntryPoints(): readonly EntryPoint[] {
  const files = [...listFiles("packages/sdk/package.json"), ...listFiles("package.json")];
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

function listFiles(manifest: string): readonly { readonly name: string; readonly file: string }[] {
  const { name, exports } = JSON.parse(readFileSync(`${ROOT}${manifest}`, "utf8")) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, string>>;
  };
  const folder = manifest.slice(0, -"package.json".length);
  return Object.entries(exports)
    .filter(([path, file]) => file.endsWith(".ts") && !path.includes("*"))
    .map(([path, file]) => ({ name: `${name}${path.slice(1)}`, file: `${ROOT}${folder}${file.slice(2)}` }));
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

/** The fields that this repository declares, inherited ones among them. */
function fieldsOfType(type: ts.Type): readonly Part[] {
  if (type.isUnion()) return [];
  return type.getProperties().flatMap(({ declarations: [declaration] = [] }) => {
    if (declaration === undefined || declaration.getSourceFile().fileName.includes("/node_modules/")) return [];
    return toField(declaration);
  });
}

/** The public fields of a class, without its code. */
export function fieldsOf(declaration: ts.ClassDeclaration): readonly Part[] {
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
      // A field without a type has a constant as its value.
      type: toLine(type ?? "string").replace(/;$/u, ""),
      isOptional: member.questionToken !== undefined,
      text: comments.map((comment) => toLine(commentOf(comment.comment))).join(" "),
    },
  ];
}

/** The compiler takes the braces of a link for those of a type, so this reads the text of the comment. */
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
