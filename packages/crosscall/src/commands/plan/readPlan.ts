import { readFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { abortable, InvalidInputError } from "@crosscall/protocol/core";
import { type BuiltPlan, buildPlan } from "./buildPlan.ts";
import { parsePart } from "./parseActions.ts";
import { PlanDescriptionSchema } from "./planDescription.ts";
import type { PlanOverrides } from "./planOptions.ts";
import { readJson } from "../../options/readJson.ts";
import { mergeArguments } from "./mergeArguments.ts";

export interface ReadPlanParameters {
  /** JSON, or a TypeScript or JavaScript module that exports `plan`. */
  readonly file: string | undefined;
  /** From the command line; they take precedence over the file. */
  readonly overrides?: PlanOverrides;
  readonly signal: AbortSignal;
}

export function isModule(file: string): boolean {
  return MODULES.includes(extname(file));
}

const MODULES = [".ts", ".mts", ".js", ".mjs"];

/** From a file, a module or the command line alone. */
export async function readPlan({ file, overrides, signal }: ReadPlanParameters): Promise<BuiltPlan> {
  const raw = file === undefined ? {} : await abortable(readRaw(file), signal, `reading ${file}`);
  const written = parsePart(PlanDescriptionSchema, raw, "");
  const { fields = {}, args = [] } = overrides ?? {};
  const merged = parsePart(PlanDescriptionSchema, { ...written, ...fields }, "");
  return buildPlan(args.length === 0 ? merged : { ...merged, args: mergeArguments(merged, args) });
}

async function readRaw(file: string): Promise<unknown> {
  if (!isModule(file)) return readJson(file, "file");
  // The import's error may name a module inside of it instead.
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
    hint: "Write `export const plan = { … }` in it.",
  });
}

async function importPlan(file: string): Promise<object> {
  try {
    return (await import(pathToFileURL(resolve(file)).href)) as object;
  } catch (cause) {
    throw new InvalidInputError({
      field: "file",
      value: file,
      reason: "the module does not load",
      hint: "Run it with node for the whole error.",
      cause,
    });
  }
}
