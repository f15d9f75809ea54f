import fc from "fast-check";
import type { TSchema } from "typebox";

import type { JsonSchemaKeywords, SchemaShape } from "../../../packages/protocol/src/schema/checkSchema.ts";

/** Names that the schema does not list, including names that every object inherits. */
const names = fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "toString", "length", "0"));

/** Generates values that match a schema, with unknown fields if the schema accepts any. */
export function matching(schema: unknown): fc.Arbitrary<unknown> {
  if (typeof schema === "boolean") return fc.jsonValue();
  const words = schema as Partial<JsonSchemaKeywords>;
  if (words.anyOf !== undefined) return fc.oneof(...words.anyOf.map(matching));
  if ("const" in words) return fc.constant(words.const);
  if (words.enum !== undefined) return fc.constantFrom(...words.enum);
  const { minimum: min = -1e9, maximum: max = 1e9 } = words;
  switch (words.type) {
    case "object":
      return objects(words);
    case "array":
      return fc.array(matching(words.items ?? {}), {
        minLength: words.minItems ?? 0,
        maxLength: Math.min(words.maxItems ?? 3, 3),
      });
    case "string":
      if (words.pattern !== undefined) return fc.stringMatching(new RegExp(words.pattern, "u"));
      return fc.string({ minLength: words.minLength ?? 0, unit: "grapheme" });
    case "integer":
      return fc.integer({ min, max: Math.min(max, Number.MAX_SAFE_INTEGER) });
    case "number":
      return fc.double({ min, max, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return fc.jsonValue();
  }
}

function objects({ properties = {}, required = [], ...words }: Partial<JsonSchemaKeywords>): fc.Arbitrary<unknown> {
  const known = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, matching(inner)]));
  const other = Object.values(words.patternProperties ?? {})[0] ?? words.additionalProperties ?? true;
  const others = fc.array(fc.tuple(names, matching(other)), { maxLength: other === false ? 0 : 2 });
  return fc
    .tuple(fc.record(known, { requiredKeys: [...required] }), others)
    .map(([fields, added]) =>
      Object.fromEntries([...added.filter(([name]) => !Object.hasOwn(properties, name)), ...Object.entries(fields)]),
    )
    .filter((value) => Object.keys(value).length >= (words.minProperties ?? 0));
}

/** Replacements for part of a value: nothing, JSON of any kind, and values close to valid ones. */
const replacements = fc.oneof(
  fc.constantFrom(undefined, null, "", "0", "-1", "0x", -1, 1.5, 2 ** 53, {}, [], [null], "𝒳", "pending"),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Generates copies of values with one to three places removed, replaced or added, at any depth. */
export function mutated(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const change = fc.record({
    at: fc.nat(),
    kind: fc.constantFrom("remove", "replace", "add"),
    name: names,
    replacements,
  });
  return fc.tuple(values, fc.array(change, { minLength: 1, maxLength: 3 })).map(([value, changes]) => {
    // Wraps the value in an object, so that the entire value can be replaced too.
    const root = { value: JSON.parse(JSON.stringify(value)) as unknown };
    for (const { at, kind, name, replacements: replacement } of changes) {
      const places = listPlaces(root);
      const { parent, key } = places[at % places.length]!;
      const inner = parent[key];
      // Later changes to a shared value would change all copies, and could create a cycle.
      const own = structuredClone(replacement);
      if (kind === "remove" && !Array.isArray(parent) && parent !== root) Reflect.deleteProperty(parent, key);
      else if (kind === "add" && typeof inner === "object" && inner !== null && !Array.isArray(inner)) {
        Object.defineProperty(inner, name, {
          value: own,
          enumerable: true,
          writable: true,
          configurable: true,
        });
      } else parent[key] = own;
    }
    return root.value;
  });
}

interface Place {
  readonly parent: Record<string, unknown>;
  readonly key: string;
}

function listPlaces(value: unknown): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const parent = value as Record<string, unknown>;
  return Object.keys(parent).flatMap((key) =>
    key === "__proto__" ? [] : [{ parent, key }, ...listPlaces(parent[key])],
  );
}

/** Texts that either version defines, and others. A record's values determine where they are mapped. */
const texts = fc.oneof(
  fc.string(),
  fc.constantFrom("delayed", "N/A", "success", "relay", "rent", "app", "0.00", "12", "-7", "strict", "platform"),
);
const unknowns = fc.jsonValue({ maxDepth: 3 });
/** Names that the schema does not list, including names that v3 lists or JavaScript objects inherit. */
const fieldNames = fc.oneof(
  fc.string(),
  fc.constantFrom("__proto__", "constructor", "route", "txHash", "sender", "features", "type", "moonpayId", "currency"),
);

/** Generates any value that a schema of plain objects, arrays, unions and leaves accepts, with unknown fields. */
export function arbitraryOf(schema: TSchema): fc.Arbitrary<unknown> {
  const words = schema as SchemaShape;
  if (words.anyOf !== undefined) return fc.oneof({ withCrossShrink: true }, ...words.anyOf.map(arbitraryOf));
  if (words.items !== undefined) return fc.array(arbitraryOf(words.items), { maxLength: 2 });
  if (words.properties !== undefined) return objectOf(words.properties, words.required ?? []);
  switch (words.type) {
    case "string":
      return texts;
    case "integer":
      return fc.oneof(fc.nat(20), fc.maxSafeInteger());
    case "number":
      return fc.oneof(fc.nat(20), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return unknowns;
  }
}

function objectOf(properties: Record<string, TSchema>, required: readonly string[]): fc.Arbitrary<unknown> {
  const known = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, arbitraryOf(schema)]));
  const others = fc.array(fc.tuple(fieldNames, unknowns), { maxLength: 2 });
  return fc.tuple(fc.record(known, { requiredKeys: [...required] }), others).map(([fields, extra]) => {
    // As in JSON.parse, `__proto__` is an ordinary field.
    const inner = extra.filter(([name]) => !Object.hasOwn(properties, name));
    return JSON.parse(JSON.stringify({ ...fields, ...Object.fromEntries(inner) })) as unknown;
  });
}
