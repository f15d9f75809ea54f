import type { TSchema } from "typebox";
import { InvalidStateError } from "../../core/errors.ts";
import { isObject } from "./json.ts";

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

/** Keywords that determine the kind of value. */
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
  /** The keyword's value; for `required`, the missing names. */
  readonly asked: Asked;
  /** From the root; numbers are array indexes. */
  readonly keys: readonly (string | number)[];
  readonly value: unknown;
}

export type SchemaError =
  | BrokenWord<"type" | "pattern", string>
  | BrokenWord<"required", readonly string[]>
  | BrokenWord<"const", unknown>
  | BrokenWord<"enum", readonly unknown[]>
  | BrokenWord<"minimum" | "maximum" | "minLength" | "minItems" | "maxItems" | "minProperties", number>
  | BrokenWord<"false" | "additionalProperties" | "anyOf", undefined>;

export interface Walk {
  readonly keys: (string | number)[];
  readonly errors: SchemaError[];
}

export type Check = (value: unknown, walk: Walk) => void;

/** Without effect on validation; those with `~` are TypeBox's. */
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
export const MAX_ERRORS = 8;

const TYPES: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ["array", Array.isArray],
  ["boolean", (value: unknown) => typeof value === "boolean"],
  ["integer", Number.isInteger],
  ["null", (value: unknown) => value === null],
  ["number", Number.isFinite],
  ["object", isObject],
  ["string", (value: unknown) => typeof value === "string"],
]);

/** In the order of reporting. `compile` compiles nested schemas. */
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
    return (value, walk) => {
      if (!isOfType(value)) note(walk, value, { word: "type", asked: type });
    };
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
        // An optional field may be undefined in JavaScript.
        if (field !== undefined || isRequired) checkInner(check, field, name, walk);
      }
    };
  },

  minProperties: (limit) => (value, walk) => {
    if (!isObject(value) || Object.keys(value).length >= limit) return;
    note(walk, value, { word: "minProperties", asked: limit });
  },

  items: (inner, _schema, compile) => {
    const check = compile(inner);
    return (value, walk) => {
      if (!Array.isArray(value)) return;
      for (const [index, item] of value.entries()) checkInner(check, item, index, walk);
    };
  },

  minItems: (limit) => (value, walk) => {
    if (Array.isArray(value) && value.length < limit) note(walk, value, { word: "minItems", asked: limit });
  },

  maxItems: (limit) => (value, walk) => {
    if (Array.isArray(value) && value.length > limit) note(walk, value, { word: "maxItems", asked: limit });
  },

  minLength: (limit) => (value, walk) => {
    if (typeof value !== "string" || value.length >= 2 * limit) return;
    // JSON Schema counts characters, of which some are two UTF-16 units.
    if (Array.from(value).length < limit) note(walk, value, { word: "minLength", asked: limit });
  },

  pattern: (pattern) => {
    const regExp = toRegExp(pattern);
    return (value, walk) => {
      if (typeof value === "string" && !regExp.test(value)) note(walk, value, { word: "pattern", asked: pattern });
    };
  },

  minimum: (limit) => (value, walk) => {
    if (typeof value === "number" && value < limit) note(walk, value, { word: "minimum", asked: limit });
  },

  maximum: (limit) => (value, walk) => {
    if (typeof value === "number" && value > limit) note(walk, value, { word: "maximum", asked: limit });
  },

  const: (allowed) => {
    requireScalar("const", allowed);
    return (value, walk) => {
      if (value !== allowed) note(walk, value, { word: "const", asked: allowed });
    };
  },

  enum: (allowed) => {
    for (const one of allowed) requireScalar("enum", one);
    return (value, walk) => {
      if (!allowed.includes(value)) note(walk, value, { word: "enum", asked: allowed });
    };
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

/** Fails rather than skip an unsupported keyword. */
export function unknownKeyword(word: string, asked: unknown): InvalidStateError {
  return new InvalidStateError({
    message: `no rule checks ${JSON.stringify({ [word]: asked }).slice(0, 100)} of a schema`,
    hint: "Report it: the kit's schemas use only keywords that `jsonSchemaKeywords.ts` has rules for.",
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
