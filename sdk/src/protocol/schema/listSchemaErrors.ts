import type { TSchema } from "typebox";

import {
  ANNOTATIONS,
  type Check,
  MAX_ERRORS,
  RULES,
  type SchemaError,
  type JsonSchemaKeywords,
  unknownKeyword,
} from "./jsonSchemaKeywords.ts";

const checks = new WeakMap<object, Check>();

/**
 * Errors in order: outer before inner, branches of a union before the union. Supports the keywords of the kit's
 * schemas, and own properties only.
 */
export function listSchemaErrors(schema: TSchema, value: unknown): readonly SchemaError[] {
  const errors: SchemaError[] = [];
  compile(schema)(value, { keys: [], errors });
  return errors;
}

export function matchesSchema(schema: TSchema, value: unknown): boolean {
  return listSchemaErrors(schema, value).length === 0;
}

/** Compiles nested schemas once. */
function compile(schema: unknown): Check {
  if (typeof schema !== "object" || schema === null) throw unknownKeyword("a schema", schema);
  const known = checks.get(schema);
  if (known !== undefined) return known;
  const words: Partial<JsonSchemaKeywords> = schema;
  for (const word of Object.getOwnPropertyNames(words)) {
    if (!Object.hasOwn(RULES, word) && !ANNOTATIONS.has(word)) throw unknownKeyword(word, Reflect.get(schema, word));
  }
  const rules = (Object.keys(RULES) as (keyof JsonSchemaKeywords)[])
    .filter((word) => Object.hasOwn(words, word))
    .map((word) => RULES[word](words[word] as never, words, compile));
  const check: Check = (value, walk) => {
    for (const rule of rules) {
      if (walk.errors.length >= MAX_ERRORS) return;
      rule(value, walk);
    }
  };
  checks.set(schema, check);
  return check;
}
