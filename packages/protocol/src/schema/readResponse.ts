import type { Static, TSchema } from "typebox";

import { MalformedDataError } from "../core/errors.ts";
import { findMismatch, listMismatches, matchesSchema, type Mismatch, type SchemaShape } from "./checkSchema.ts";
import { formatPath, isObject } from "./json.ts";

export interface Unreadable {
  /** The response, or a part of it, as received. */
  readonly raw: unknown;
  /** Omitted fields by JSON path, with reasons. */
  readonly fields: readonly Mismatch[];
}

export interface WithUnreadable {
  /** Unreadable fields; set only if a field could not be read. */
  readonly unreadable?: Unreadable;
}

/** Response type in which every field can be missing or null. */
export type Received<Value> = unknown extends Value
  ? Value
  : Value extends string | number | boolean | null | undefined
    ? Value
    : Value extends readonly (infer Item)[]
      ? Received<Item>[]
      : { [Name in keyof Value]?: Received<Value[Name]> | null | undefined };

export type ReadResponse<Schema extends TSchema> = Received<Static<Schema>> & WithUnreadable;

interface Context {
  readonly at: string;
  readonly keys: (string | number)[];
  readonly fields: Mismatch[];
}

/** Marker of an unreadable value, because undefined and null are values. */
const UNREADABLE = Symbol("unreadable");

/**
 * Reads a response, or one record of a page. Every field can be missing or null, unknown fields are kept, and a field
 * with the wrong JSON type is dropped and listed in `unreadable`. Converts between numbers and documented numeric
 * strings if the conversion is exact. A value that is not an object yields only `unreadable`.
 *
 * @param schema the documented shape, with every field that the service can send
 * @param raw parsed JSON
 */
export function readResponse<Schema extends TSchema>(schema: Schema, raw: unknown): ReadResponse<Schema> {
  if (matchesSchema(schema, raw)) return raw as ReadResponse<Schema>;
  const context: Context = { at: "", keys: [], fields: [] };
  const value = readValue(schema, raw, context);
  const { fields } = context;
  if (fields.length === 0) return value as ReadResponse<Schema>;
  const readable = value === UNREADABLE ? {} : (value as object);
  return { ...readable, unreadable: { raw, fields } } as ReadResponse<Schema>;
}

/**
 * Reads data that affects funds, such as a transaction to send. Fields can be missing or null, as in {@link
 * readResponse}, but a field with the wrong type is an error.
 * @param what name of the data in errors: `the quote`
 * @param at JSON path of `raw` in `what`
 */
export function readStrictly<Schema extends TSchema>(
  schema: Schema,
  raw: unknown,
  what: string,
  at: string,
): Received<Static<Schema>> {
  const context: Context = { at, keys: [], fields: [] };
  const value = readValue(schema, raw, context);
  const wrong = context.fields[0] ?? listMismatches(schema, value, at).find((mismatch) => isPresent(mismatch.value));
  if (wrong === undefined) return value as Received<Static<Schema>>;
  throw new MalformedDataError({ what, path: wrong.path, reason: wrong.reason });
}

/**
 * Returns a field that the caller needs, or throws.
 *
 * @param what name of the data in errors: `the quote`
 * @param path JSON path of the field in `what`
 * @throws {@link MalformedDataError} when the field is missing, null or unreadable
 */
export function requireField<Value>(value: Value, what: string, path: string): NonNullable<Value> {
  if (isPresent(value)) return value;
  throw new MalformedDataError({ what, path, reason: "it is missing but required" });
}

/** Whether a field is neither missing nor null. */
export function isPresent<Value>(value: Value): value is NonNullable<Value> {
  return value !== undefined && value !== null;
}

function readValue(schema: TSchema, value: unknown, context: Context): unknown {
  const words = schema as SchemaShape;
  if (words.const !== undefined) return checkType(schema, value, context);
  if (words.anyOf !== undefined) return readUnion(words.anyOf, schema, value, context);
  switch (words.type) {
    case "object":
      return isObject(value) ? readObject(words, schema, value, context) : fail(schema, value, context);
    case "array":
      return Array.isArray(value) ? readArray(words, value, context) : fail(schema, value, context);
    case "string":
      if (typeof value === "string") return value;
      return toNumericText(value, words.pattern) ?? fail(schema, value, context);
    case "integer":
    case "number":
      return checkType(schema, toNumber(value) ?? value, context);
    default:
      return checkType(schema, value, context);
  }
}

function readUnion(branches: readonly TSchema[], schema: TSchema, value: unknown, context: Context): unknown {
  const branch = branches.find((one) => matchesSchema(one, value));
  if (branch !== undefined) return value;
  const [first, ...others] = branches.filter((one) => (one as SchemaShape).type !== "null");
  return first !== undefined && others.length === 0 ? readValue(first, value, context) : fail(schema, value, context);
}

function readObject(
  { properties = {} }: SchemaShape,
  schema: TSchema,
  value: Readonly<Record<string, unknown>>,
  context: Context,
): unknown {
  let read = value;
  for (const [name, inner] of Object.entries(properties)) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    if (given === undefined || given === null) continue;
    context.keys.push(name);
    const field = readValue(inner, given, context);
    context.keys.pop();
    if (field === given) continue;
    const { [name]: _, ...rest } = read;
    read = field === UNREADABLE ? rest : { ...read, [name]: field };
  }
  // Reads maps, such as EIP-712 types, as one value, because they have no named fields.
  return Object.keys(properties).length === 0 ? checkType(schema, read, context) : read;
}

/** Reads a list. One unreadable item invalidates it, because a step or call must not disappear unnoticed. */
function readArray({ items }: SchemaShape, value: readonly unknown[], context: Context): unknown {
  if (items === undefined) return value;
  const read = value.map((item, index) => {
    context.keys.push(index);
    const one = readValue(items, item, context);
    context.keys.pop();
    return one;
  });
  if (read.includes(UNREADABLE)) return UNREADABLE;
  return read.every((item, index) => item === value[index]) ? value : read;
}

function checkType(schema: TSchema, value: unknown, context: Context): unknown {
  return matchesSchema(schema, value) ? value : fail(schema, value, context);
}

function fail(schema: TSchema, value: unknown, { at, keys, fields }: Context): symbol {
  const reason = findMismatch(schema, value)?.reason ?? "it cannot be read";
  fields.push({ path: formatPath(keys, at), reason });
  return UNREADABLE;
}

/** Returns undefined if the conversion is not exact. */
function toNumericText(value: unknown, pattern: string | undefined): string | undefined {
  if (typeof value !== "number" || (Number.isInteger(value) && !Number.isSafeInteger(value))) return undefined;
  const text = String(value);
  return pattern !== undefined && new RegExp(pattern, "u").test(text) ? text : undefined;
}

/** Returns undefined if the conversion is not exact. */
function toNumber(value: unknown): number | undefined {
  if (typeof value !== "string" || !/^-?\d/u.test(value)) return undefined;
  return String(Number(value)) === value ? Number(value) : undefined;
}
