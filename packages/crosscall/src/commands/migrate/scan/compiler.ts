import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type ts from "typescript";

import { InvalidStateError } from "@crosscall/protocol/core";

/** TypeScript's compiler API. */
type Compiler = typeof ts;

/** Last version with this API. Version 7 is a native program. */
const SUPPORTED = "typescript@6";

/**
 * Imports TypeScript from the first of these files that resolves it.
 *
 * @param importers paths or URLs of the files
 * @throws {@link InvalidStateError} if none resolves it, or only a version without the API
 */
export async function loadCompiler(importers: readonly string[]): Promise<Compiler> {
  let hasOther = false;
  for (const importer of importers) {
    const found = await importFrom(importer);
    if (found !== undefined && "createProgram" in found) return found as Compiler;
    hasOther ||= found !== undefined;
  }
  throw new InvalidStateError({
    message: hasOther ? "the installed TypeScript has no compiler API" : "TypeScript is not installed",
    hint:
      `${hasOther ? "Version 7 is a native program. " : ""}Install TypeScript in the project: ` +
      `npm install --save-dev ${SUPPORTED}, or run ` +
      `npx --package ${SUPPORTED} --package crosscall crosscall migrate report <folder>.`,
  });
}

/** Imports TypeScript as a file would. Returns undefined if TypeScript is not installed there. */
async function importFrom(importer: string): Promise<object | undefined> {
  let path: string;
  try {
    path = createRequire(importer).resolve("typescript");
  } catch (error) {
    // Version 7 is installed, but has no module of this name.
    const isMissing = error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND";
    return isMissing ? undefined : {};
  }
  const module = (await import(pathToFileURL(path).href)) as { readonly default?: object };
  return module.default ?? {};
}

/** The project's TypeScript, or the version installed with crosscall. */
export const compiler = await loadCompiler([join(process.cwd(), "package.json"), import.meta.url]);
