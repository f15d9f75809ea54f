import { InvalidInputError } from "@crosscall/protocol/core";
import type { PlanDescription } from "./planDescription.ts";
import { type ArgumentFields, argumentFromText } from "./readArgument.ts";
import { findRecipe } from "./recipeCatalogue.ts";

/** `vault=0x…`, `market.irm=0x…`. */
export interface ArgumentText {
  readonly path: readonly string[];
  readonly text: string;
}

/** The command line's precede the file's. */
export function mergeArguments(description: PlanDescription, texts: readonly ArgumentText[]): Record<string, unknown> {
  if (typeof description.recipe !== "string") {
    throw new InvalidInputError({
      field: "--arg",
      value: texts[0]?.path.join("."),
      reason: "arguments are of a recipe, and none is named",
      hint: "Pass --recipe; `crosscall plan --recipes` lists all.",
    });
  }
  const { args: fields } = findRecipe(description.recipe);
  const written = typeof description.args === "object" && description.args !== null ? description.args : {};
  return texts.reduce<Record<string, unknown>>(
    (args, { path, text }) => place(args, path, text, fields),
    Object.fromEntries(Object.entries(written)),
  );
}

/** Unknown names are kept, so that the recipe rejects them. */
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
