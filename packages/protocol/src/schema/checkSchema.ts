// Checks values against the SDK's JSON Schemas by interpretation, and formats the errors.
import type { TSchema } from "typebox";

import { InvalidStateError } from "../core/errors.ts";
import { formatPath, isObject, type Keys } from "./json.ts";

export interface JsonSchemaKeywords {
  readonly type: string;
  readonly required: readonly string[];
  readonly additionalProperties: unknown;
  readonly patternProperties: Readonly<Record<string, unknown>>;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly minProperties: number;
  readonly items: unknown;
  readonly minItems: number;
  readonly maxItems: number;
  readonly minLength: number;
  readonly pattern: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly const: unknown;
  readonly enum: readonly unknown[];
  readonly anyOf: readonly unknown[];
}

/** Keywords that determine the type of value. */
export interface SchemaShape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly items?: TSchema;
  readonly pattern?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly TSchema[];
}

interface BrokenWord<Word extends string, Asked> {
  /** `false` for a forbidden field. */
  readonly word: Word;
  /** Value of the keyword; for `required`, the missing names. */
  readonly asked: Asked;
  /** Path from the root; numbers are array indexes. */
  readonly keys: Keys;
  readonly value: unknown;
}

export type SchemaError =
  | BrokenWord<"type" | "pattern", string>
  | BrokenWord<"required", readonly string[]>
  | BrokenWord<"const", unknown>
  | BrokenWord<"enum", readonly unknown[]>
  | BrokenWord<"minimum" | "maximum" | "minLength" | "minItems" | "maxItems" | "minProperties", number>
  | BrokenWord<"false" | "additionalProperties" | "anyOf", undefined>;

interface Walk {
  readonly keys: (string | number)[];
  readonly errors: SchemaError[];
}

type Check = (value: unknown, walk: Walk) => void;

/** Keywords without effect on validation. TypeBox adds the ones with `~`. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  "default",
  "deprecated",
  "description",
  "examples",
  "~kind",
  "~optional",
  "~unsafe",
]);

/** Maximum number of errors per value. */
const MAX_ERRORS = 8;

const TYPES: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ["array", Array.isArray],
  ["boolean", (value: unknown) => typeof value === "boolean"],
  ["integer", Number.isInteger],
  ["null", (value: unknown) => value === null],
  ["number", Number.isFinite],
  ["object", isObject],
  ["string", (value: unknown) => typeof value === "string"],
]);

/** Rules by keyword, in the order in which errors are reported. `compile` compiles nested schemas. */
export const RULES: {
  readonly [Word in keyof JsonSchemaKeywords]: (
    asked: JsonSchemaKeywords[Word],
    schema: Partial<JsonSchemaKeywords>,
    compile: (schema: unknown) => Check,
  ) => Check;
} = {
  type: (type) => {
    const isOfType = TYPES.get(type);
    if (isOfType === undefined) throw unknownKeyword("type", type);
    return unless(isOfType, { word: "type", asked: type });
  },

  required: (names) => (value, walk) => {
    if (!isObject(value) || names.every((name) => Object.hasOwn(value, name))) return;
    note(walk, value, { word: "required", asked: names.filter((name) => !Object.hasOwn(value, name)) });
  },

  additionalProperties: (additional, { properties = {}, patternProperties = {} }, compile) => {
    if (additional === true) return () => undefined;
    const check: Check =
      additional === false
        ? (value, walk) => note(walk, value, { word: "false", asked: undefined })
        : compile(additional);
    const patterns = Object.keys(patternProperties).map(toRegExp);
    return (value, walk) => {
      if (!isObject(value)) return;
      const before = walk.errors.length;
      for (const [name, field] of Object.entries(value)) {
        if (Object.hasOwn(properties, name) || patterns.some((pattern) => pattern.test(name))) continue;
        checkInner(check, field, name, walk);
      }
      if (walk.errors.length > before) note(walk, value, { word: "additionalProperties", asked: undefined });
    };
  },

  patternProperties: (schemas, _schema, compile) => {
    const checks = Object.entries(schemas).map(([pattern, inner]) => [toRegExp(pattern), compile(inner)] as const);
    return (value, walk) => {
      if (!isObject(value)) return;
      for (const [pattern, check] of checks) {
        for (const [name, field] of Object.entries(value)) if (pattern.test(name)) checkInner(check, field, name, walk);
      }
    };
  },

  properties: (schemas, { required = [] }, compile) => {
    const checks = Object.entries(schemas).map(
      ([name, inner]) => [name, compile(inner), required.includes(name)] as const,
    );
    return (value, walk) => {
      if (!isObject(value)) return;
      for (const [name, check, isRequired] of checks) {
        if (!Object.hasOwn(value, name)) continue;
        const field = value[name];
        // In JavaScript, an optional field can be undefined.
        if (field !== undefined || isRequired) checkInner(check, field, name, walk);
      }
    };
  },

  minProperties: (limit) =>
    unless((value) => !isObject(value) || Object.keys(value).length >= limit, { word: "minProperties", asked: limit }),

  items: (inner, _schema, compile) => {
    const check = compile(inner);
    return (value, walk) => {
      if (!Array.isArray(value)) return;
      for (const [index, item] of value.entries()) checkInner(check, item, index, walk);
    };
  },

  minItems: (limit) =>
    unless((value) => !Array.isArray(value) || value.length >= limit, { word: "minItems", asked: limit }),

  maxItems: (limit) =>
    unless((value) => !Array.isArray(value) || value.length <= limit, { word: "maxItems", asked: limit }),

  // JSON Schema counts characters, and some have two UTF-16 units.
  minLength: (limit) =>
    unless((value) => typeof value !== "string" || Array.from(value).length >= limit, {
      word: "minLength",
      asked: limit,
    }),

  pattern: (pattern) => {
    const regExp = toRegExp(pattern);
    return unless((value) => typeof value !== "string" || regExp.test(value), { word: "pattern", asked: pattern });
  },

  minimum: (limit) => unless((value) => typeof value !== "number" || value >= limit, { word: "minimum", asked: limit }),

  maximum: (limit) => unless((value) => typeof value !== "number" || value <= limit, { word: "maximum", asked: limit }),

  const: (allowed) => {
    requireScalar("const", allowed);
    return unless((value) => value === allowed, { word: "const", asked: allowed });
  },

  enum: (allowed) => {
    for (const one of allowed) requireScalar("enum", one);
    return unless((value) => allowed.includes(value), { word: "enum", asked: allowed });
  },

  anyOf: (branches, _schema, compile) => {
    const checks = branches.map(compile);
    return (value, walk) => {
      const errors: SchemaError[] = [];
      for (const check of checks) {
        const branch: Walk = { keys: walk.keys, errors: [] };
        check(value, branch);
        if (branch.errors.length === 0) return;
        errors.push(...branch.errors);
      }
      walk.errors.push(...errors.slice(0, MAX_ERRORS - walk.errors.length));
      note(walk, value, { word: "anyOf", asked: undefined });
    };
  },
};

/** Throws for an unsupported keyword, because skipping it would accept invalid values. */
function unknownKeyword(word: string, asked: unknown): InvalidStateError {
  return new InvalidStateError({
    message: `no rule checks ${JSON.stringify({ [word]: asked }).slice(0, 100)} of a schema`,
    hint: "Report this error.",
  });
}

function toRegExp(pattern: string): RegExp {
  return new RegExp(pattern, "u");
}

function requireScalar(word: string, value: unknown): void {
  if (typeof value === "object" && value !== null) throw unknownKeyword(word, value);
}

function checkInner(check: Check, value: unknown, key: string | number, walk: Walk): void {
  walk.keys.push(key);
  check(value, walk);
  walk.keys.pop();
}

type Broken<Error> = Error extends SchemaError ? Pick<Error, "word" | "asked"> : never;

function note(walk: Walk, value: unknown, broken: Broken<SchemaError>): void {
  if (walk.errors.length < MAX_ERRORS) walk.errors.push({ ...broken, keys: [...walk.keys], value });
}

function unless(holds: (value: unknown) => boolean, broken: Broken<SchemaError>): Check {
  return (value, walk) => {
    if (!holds(value)) note(walk, value, broken);
  };
}

const checks = new WeakMap<object, Check>();

/**
 * Lists errors: outer before inner, branches of a union before the union. Supports only the keywords of crosscall's
 * schemas, and own properties.
 */
export function listSchemaErrors(schema: TSchema, value: unknown): readonly SchemaError[] {
  const errors: SchemaError[] = [];
  compile(schema)(value, { keys: [], errors });
  return errors;
}

export function matchesSchema(schema: TSchema, value: unknown): boolean {
  return listSchemaErrors(schema, value).length === 0;
}

/** Compiles each nested schema once. */
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

/** Maximum number of listed values. Longer enumerations would hide the reason. */
const MAX_LISTED_VALUES = 12;

const COUNTED = { minLength: "characters", minItems: "items", minProperties: "properties" } as const;

export interface Mismatch {
  /** Formats a JSON path, `""` for the root: `steps[0].items[1].data.to`. */
  readonly path: string;
  readonly reason: string;
}

/** @param at JSON path of `value` in its container */
export function findMismatch(schema: TSchema, value: unknown, at = ""): Mismatch | undefined {
  const first = listMismatches(schema, value, at)[0];
  return first === undefined ? undefined : { path: first.path, reason: first.reason };
}

/**
 * Reports all mismatches, although validators stop after a few.
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

/** Reports a missing field at its own path. */
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
    case "minItems":
    case "minProperties":
      return `it must have at least ${asked} ${COUNTED[word]}`;
    case "maxItems":
      return `it must have at most ${asked} items`;
    case "pattern":
      return `it must match pattern "${asked}"`;
    case "additionalProperties":
      return "it must not have additional properties";
    case "anyOf":
      return "it must match a schema in anyOf";
    case "false":
      return "it is not allowed";
  }
}
