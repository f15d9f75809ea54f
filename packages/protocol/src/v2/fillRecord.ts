import type { TSchema } from "typebox";

import { findMismatch, matchesSchema, type Mismatch, type SchemaShape } from "../schema/checkSchema.ts";
import { listedValues } from "../schema/schemaParts.ts";
import { formatPath, isObject, type Keys } from "../schema/json.ts";
import { ownField, setField, type Tree } from "./jsonTree.ts";

/** Differences between a record and the v3 schema. */
export interface Shortfall {
  /** Paths of missing or null fields that v3 requires. */
  readonly missing: string[];
  /** Values that v3 does not list, such as an unknown enumeration value. */
  readonly unknown: Mismatch[];
  /** Paths of required v3 fields that were set to null, where v3 allows it. */
  readonly nulls: string[];
}

/**
 * Compares a value with its schema: writes null where a required, nullable field is missing, and reports fields that
 * are missing or do not match.
 * @returns the value, or a copy if nulls were written
 */
export function fillRecord(schema: TSchema, value: unknown, shortfall: Shortfall, at: Keys = []): unknown {
  const words = schema as SchemaShape;
  if (words.anyOf !== undefined) return fillUnion(words.anyOf, value, shortfall, at);
  if (words.type === "object" && words.properties !== undefined && isObject(value)) {
    return fillObject(words, words.properties, value, shortfall, at);
  }
  if (words.type === "array" && words.items !== undefined && Array.isArray(value)) {
    const { items } = words;
    return value.map((item: unknown, index) => fillRecord(items, item, shortfall, [...at, index]));
  }
  // Builds paths only for mismatches, because they are expensive.
  const mismatch = matchesSchema(schema, value)
    ? findUnlisted(schema, value, at)
    : findMismatch(schema, value, formatPath(at));
  if (mismatch !== undefined) shortfall.unknown.push(mismatch);
  return value;
}

/** Finds an unlisted value in an open enumeration. */
function findUnlisted(schema: TSchema, value: unknown, at: Keys): Mismatch | undefined {
  const listed = listedValues(schema);
  if (listed === undefined || typeof value !== "string" || listed.includes(value)) return undefined;
  return { path: formatPath(at), reason: "v3 does not list this value" };
}

const nullables = new WeakMap<TSchema, boolean>();

function takesNull(schema: TSchema): boolean {
  const known = nullables.get(schema) ?? matchesSchema(schema, null);
  nullables.set(schema, known);
  return known;
}

function fillUnion(branches: readonly TSchema[], value: unknown, shortfall: Shortfall, at: Keys): unknown {
  if (value === null && branches.some(takesNull)) return value;
  const branch = branches.find((other) => !takesNull(other));
  return branch === undefined ? value : fillRecord(branch, value, shortfall, at);
}

function fillObject(
  { required = [] }: SchemaShape,
  properties: Record<string, TSchema>,
  value: Tree,
  shortfall: Shortfall,
  at: Keys,
): Tree {
  const filled: Tree = { ...value };
  for (const [name, schema] of Object.entries(properties)) {
    const present = ownField(value, name);
    const keys = [...at, name];
    const isNullable = takesNull(schema);
    if (present !== undefined && (present !== null || isNullable)) {
      setField(filled, name, fillRecord(schema, present, shortfall, keys));
      continue;
    }
    // v2 has null where v3 omits the field.
    Reflect.deleteProperty(filled, name);
    if (!required.includes(name)) continue;
    if (isNullable) setField(filled, name, null);
    (isNullable ? shortfall.nulls : shortfall.missing).push(formatPath(keys));
  }
  return filled;
}
