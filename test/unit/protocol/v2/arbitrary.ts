import fc from "fast-check";
import type { TSchema } from "typebox";
import type { SchemaShape } from "../../../../packages/protocol/src/schema/checkSchema.ts";

/** Texts of both versions, and others: a record's values determine where they are mapped. */
const texts = fc.oneof(
  fc.string(),
  fc.constantFrom("delayed", "N/A", "success", "relay", "rent", "app", "0.00", "12", "-7", "strict", "platform"),
);
const unknowns = fc.jsonValue({ maxDepth: 3 });
/** Names that the schema does not list, some of which v3 lists or JavaScript inherits. */
const names = fc.oneof(
  fc.string(),
  fc.constantFrom("__proto__", "constructor", "route", "txHash", "sender", "features", "type", "moonpayId", "currency"),
);

/** Any value that a schema of plain objects, arrays, unions and leaves accepts, with unknown fields. */
export function arbitraryOf(schema: TSchema): fc.Arbitrary<unknown> {
  const words = schema as SchemaShape;
  if (words.anyOf !== undefined) return fc.oneof({ withCrossShrink: true }, ...words.anyOf.map(arbitraryOf));
  if (words.items !== undefined) return fc.array(arbitraryOf(words.items), { maxLength: 2 });
  if (words.properties !== undefined) return objectOf(words.properties, words.required ?? []);
  switch (words.type) {
    case "string":
      return texts;
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
  const others = fc.array(fc.tuple(names, unknowns), { maxLength: 2 });
  return fc.tuple(fc.record(known, { requiredKeys: [...required] }), others).map(([fields, extra]) => {
    // As in JSON.parse: `__proto__` is an ordinary field.
    const inner = extra.filter(([name]) => !Object.hasOwn(properties, name));
    return JSON.parse(JSON.stringify({ ...fields, ...Object.fromEntries(inner) })) as unknown;
  });
}
