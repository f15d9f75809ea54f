import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import ts from "typescript";

import { ERROR_CODES, type ErrorCode } from "../../packages/protocol/src/core/errors.ts";
import { fieldsOf, type Part } from "./exportedNames.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export interface ErrorClass {
  readonly code: ErrorCode;
  readonly name: string;
  readonly fields: readonly Part[];
}

/** The classes of the SDK and the program that declare an error code, in the order of the codes. */
export function readErrorClasses(): readonly ErrorClass[] {
  const classes = globSync("packages/{protocol,sdk,oracle,crosscall}/src/**/*.ts", {
    cwd: ROOT,
    exclude: ["**/commands/**"],
  }).flatMap(readFile);
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
  if (code === undefined || declaration.name === undefined) return [];
  return [{ code, name: declaration.name.text, fields: fieldsOf(declaration) }];
}
