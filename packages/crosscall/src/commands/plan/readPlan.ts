import { readFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { abortable, InvalidInputError } from "@crosscall/protocol/core";
import { isObject } from "@crosscall/protocol/schema";

import { type BuiltPlan, buildPlan } from "./buildPlan.ts";
import { parsePart, PlanDescriptionSchema, type PlanDescription } from "./parseActions.ts";
import type { ArgumentText, PlanOverrides } from "./planOptions.ts";
import { readJson } from "../../options/readJson.ts";
import { type ArgumentFields, argumentFromText, findRecipe } from "./recipeCatalogue.ts";

interface ReadPlanParameters {
  /** Path of a JSON file, or of a TypeScript or JavaScript module that exports `plan`. */
  readonly file: string | undefined;
  /** Values from the command line, which take precedence over the file. */
  readonly overrides?: PlanOverrides;
  readonly signal: AbortSignal;
}

export function isModule(file: string): boolean {
  return MODULES.includes(extname(file));
}

const MODULES = [".ts", ".mts", ".js", ".mjs"];

/** Reads a plan from a file, a module or the command line alone. */
export async function readPlan({ file, overrides, signal }: ReadPlanParameters): Promise<BuiltPlan> {
  const raw = file === undefined ? {} : await abortable(readRaw(file), signal, `reading ${file}`);
  const { fields = {}, args = [] } = overrides ?? {};
  const merged = parsePart(PlanDescriptionSchema, isObject(raw) ? { ...raw, ...fields } : raw, "");
  return buildPlan(args.length === 0 ? merged : { ...merged, args: mergeArguments(merged, args) });
}

async function readRaw(file: string): Promise<unknown> {
  if (!isModule(file)) return readJson(file, "file");
  // Checks that the plan's file exists, because an import error can be about a module that the file imports.
  await readFile(file).catch((cause: unknown) => {
    throw new InvalidInputError({
      field: "file",
      value: file,
      reason: "it cannot be read",
      hint: "Check the path of the plan.",
      cause,
    });
  });
  const module = await importPlan(file);
  if ("plan" in module) return module.plan;
  throw new InvalidInputError({
    field: "file",
    value: file,
    reason: "the module exports no plan",
    hint: "Add `export const plan = { … }` to the module.",
  });
}

async function importPlan(file: string): Promise<object> {
  try {
    return (await import(pathToFileURL(resolve(file)).href)) as object;
  } catch (cause) {
    throw new InvalidInputError({
      field: "file",
      value: file,
      reason: "the module cannot be loaded",
      hint: "Run the module with node to see the full error.",
      cause,
    });
  }
}

/** Merges arguments. Arguments from the command line take precedence. */
function mergeArguments(description: PlanDescription, texts: readonly ArgumentText[]): Record<string, unknown> {
  if (typeof description.recipe !== "string") {
    throw new InvalidInputError({
      field: "--arg",
      value: texts[0]?.path.join("."),
      reason: "arguments require a recipe, but the plan has none",
      hint: "Pass --recipe; `crosscall plan --recipes` lists all recipes.",
    });
  }
  const { args: fields } = findRecipe(description.recipe);
  const written = typeof description.args === "object" && description.args !== null ? description.args : {};
  return texts.reduce<Record<string, unknown>>(
    (args, { path, text }) => place(args, path, text, fields),
    Object.fromEntries(Object.entries(written)),
  );
}

/** Sets an argument by name. Keeps unknown names, so that the recipe rejects them. */
function place(
  args: Record<string, unknown>,
  [name = "", ...rest]: readonly string[],
  text: string,
  fields: ArgumentFields,
): Record<string, unknown> {
  const kind = Object.hasOwn(fields, name) ? fields[name]?.kind : undefined;
  if (rest.length === 0) return { ...args, [name]: kind === undefined ? text : argumentFromText(kind, text) };
  const inner = args[name];
  const innerFields = typeof kind === "object" && "fields" in kind ? kind.fields : {};
  return { ...args, [name]: place(Object.fromEntries(Object.entries(inner ?? {})), rest, text, innerFields) };
}
