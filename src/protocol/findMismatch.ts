import type { TSchema } from "typebox";
import { Check, Errors } from "typebox/schema";

type SchemaError = ReturnType<typeof Errors>[1][number];

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
  if (Check(schema, value)) return [];
  const [, errors] = Errors(schema, value);
  const mismatches = new Map<string, Mismatch & { readonly value: unknown }>();
  for (const error of errors) {
    for (const keys of toKeys(error)) {
      const path = toPath(keys, value, at);
      if (mismatches.has(path)) continue;
      mismatches.set(path, { path, reason: toReason(error, errors), value: valueAt(keys, value) });
    }
  }
  if (mismatches.size === 0) return [{ path: at, reason: "it does not match the schema", value }];
  return [...mismatches.values()];
}

function toKeys(error: SchemaError): string[][] {
  const keys = error.instancePath
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  return error.keyword === "required" ? error.params.requiredProperties.map((name) => [...keys, name]) : [keys];
}

function valueAt(keys: readonly string[], root: unknown): unknown {
  return keys.reduce((parent, key) => (parent as Record<string, unknown> | undefined)?.[key], root);
}

function toPath(keys: readonly string[], root: unknown, at: string): string {
  let path = at;
  let parent = root;
  for (const key of keys) {
    if (Array.isArray(parent)) path += `[${key}]`;
    else if (!/^[A-Za-z_$][\w$]*$/u.test(key)) path += `[${JSON.stringify(key)}]`;
    else path += path === "" ? key : `.${key}`;
    parent = (parent as Record<string, unknown> | undefined)?.[key];
  }
  return path;
}

function toReason(first: SchemaError, errors: readonly SchemaError[]): string {
  if (first.keyword === "required") return "it is missing";
  if (first.keyword === "const") return `it must be ${JSON.stringify(first.params.allowedValue)}`;
  if (first.keyword === "enum" && first.params.allowedValues.length <= MAX_LISTED_VALUES) {
    return `it must be one of ${first.params.allowedValues.join(", ")}`;
  }
  if (first.keyword === "type") {
    // The branches of a union report one by one; together they are what the field may be.
    const types = errors
      .filter((error) => error.keyword === "type" && error.instancePath === first.instancePath)
      .flatMap((error) => (error.keyword === "type" ? error.params.type : []));
    return `it must be ${[...new Set(types)].join(" or ")}`;
  }
  return `it ${first.message}`;
}
