import type { TSchema } from "typebox";

import { formatPath } from "./json.ts";
import { listSchemaErrors } from "./listSchemaErrors.ts";
import type { SchemaError } from "./jsonSchemaKeywords.ts";

/** Enumerations up to this size are written out in a reason; longer ones would hide it. */
const MAX_LISTED_VALUES = 12;

/** The first place where data does not match its schema. */
export interface Mismatch {
  /** JSON path, `""` for the whole: `steps[0].items[1].data.to`. */
  readonly path: string;
  readonly reason: string;
}

/**
 * Tells where data does not match a schema, or undefined where all of it does.
 *
 * @param at JSON path of `value` inside what it is a part of
 */
export function findMismatch(schema: TSchema, value: unknown, at = ""): Mismatch | undefined {
  const first = listMismatches(schema, value, at)[0];
  return first === undefined ? undefined : { path: first.path, reason: first.reason };
}

/**
 * Tells all places where data does not match a schema, each once; the validator stops looking after the first few.
 *
 * @param at JSON path of `value` inside what it is a part of
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

/** A field that is missing stands at its own place, not at that of the object. */
function toPlaces({ word, asked, keys, value }: SchemaError): Pick<SchemaError, "keys" | "value">[] {
  return word === "required" ? asked.map((name) => ({ keys: [...keys, name], value: undefined })) : [{ keys, value }];
}

function toReason({ word, asked, keys }: SchemaError, errors: readonly SchemaError[]): string {
  switch (word) {
    case "type": {
      // The branches of a union report one by one; together they are what the field may be.
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
