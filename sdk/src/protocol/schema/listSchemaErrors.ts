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
 * The first few places where a value breaks its JSON Schema, outer before inner ones, and those of each branch of a
 * union before the union. Knows the words that the kit's schemas use, and looks at an object's own fields only.
 *
 * @throws {@link InvalidStateError} where the schema, at any depth, has a word that is not known here
 */
export function listSchemaErrors(schema: TSchema, value: unknown): readonly SchemaError[] {
  const errors: SchemaError[] = [];
  compile(schema)(value, { keys: [], errors });
  return errors;
}

/** Whether a value matches its JSON Schema; see {@link listSchemaErrors}. */
export function matchesSchema(schema: TSchema, value: unknown): boolean {
  return listSchemaErrors(schema, value).length === 0;
}

/** Makes the check of a schema and of all schemas inside, once. */
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
