import type { TSchema } from "typebox";

import { formatPath } from "./json.ts";
import { listSchemaErrors } from "./listSchemaErrors.ts";
import type { SchemaError } from "./jsonSchemaKeywords.ts";

/** Longer enumerations would hide the reason. */
const MAX_LISTED_VALUES = 12;

export interface Mismatch {
  /** JSON path, `""` for the whole: `steps[0].items[1].data.to`. */
  readonly path: string;
  readonly reason: string;
}

/** @param at JSON path of `value` in its container */
export function findMismatch(schema: TSchema, value: unknown, at = ""): Mismatch | undefined {
  const first = listMismatches(schema, value, at)[0];
  return first === undefined ? undefined : { path: first.path, reason: first.reason };
}

/**
 * All mismatches; validators stop after a few.
 *
 * @param at JSON path of `value` in its container
 */
export function listMismatches(schema: TSchema, value: unknown, at = ""): (Mismatch & { readonly value: unknown })[] {
  const errors = listSchemaErrors(schema, value);
  const mismatches = new Map<string, Mismatch & { readonly value: unknown }>();
  for (const error of errors) {
    for (const found of toPlaces(error)) {
      const path = formatPath(found.keys, at);
      if (!mismatches.has(path)) mismatches.set(path, { path, reason: toReason(error, errors), value: found.value });
    }
  }
  return [...mismatches.values()];
}

/** A missing field has its own path. */
function toPlaces({ word, asked, keys, value }: SchemaError): Pick<SchemaError, "keys" | "value">[] {
  return word === "required" ? asked.map((name) => ({ keys: [...keys, name], value: undefined })) : [{ keys, value }];
}

function toReason({ word, asked, keys }: SchemaError, errors: readonly SchemaError[]): string {
  switch (word) {
    case "type": {
      // Joins the reports of a union's branches.
      const place = formatPath(keys);
      const types = errors.filter((error) => error.word === "type" && formatPath(error.keys) === place);
      return `it must be ${[...new Set(types.map((error) => error.asked))].join(" or ")}`;
    }
    case "required":
      return "it is missing";
    case "const":
      return `it must be ${JSON.stringify(asked)}`;
    case "enum":
      if (asked.length > MAX_LISTED_VALUES) return "it must be equal to one of the allowed values";
      return `it must be one of ${asked.join(", ")}`;
    case "minimum":
      return `it must be >= ${asked}`;
    case "maximum":
      return `it must be <= ${asked}`;
    case "minLength":
      return `it must not have fewer than ${asked} characters`;
    case "minItems":
      return `it must not have fewer than ${asked} items`;
    case "maxItems":
      return `it must not have more than ${asked} items`;
    case "minProperties":
      return `it must not have fewer than ${asked} properties`;
    case "pattern":
      return `it must match pattern "${asked}"`;
    case "additionalProperties":
      return "it must not have additional properties";
    case "anyOf":
      return "it must match a schema in anyOf";
    case "false":
      return "it schema is false";
  }
}
