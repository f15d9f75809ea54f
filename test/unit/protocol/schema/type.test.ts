import { expect } from "chai";
import * as TypeBox from "typebox";

import * as Type from "../../../../packages/protocol/src/schema/type.ts";

/** Returns a schema with its hidden fields and the order of its keywords. */
function inspect(schema: object): unknown {
  const words = Object.entries(Object.getOwnPropertyDescriptors(schema)).map(([word, { value, ...flags }]) => {
    const content: unknown = value;
    return [word, typeof content === "object" && content !== null ? inspect(content) : content, flags];
  });
  const isListed = (word: unknown[]): boolean => (word[2] as PropertyDescriptor).enumerable === true;
  return { listed: words.filter(isListed), hidden: words.filter((word) => !isListed(word)).toSorted() };
}

/** Returns a schema from every function that creates schemas, with and without options. */
function schemasOf(lib: typeof Type | typeof TypeBox): Readonly<Record<string, object>> {
  const options = { description: "Text.", examples: ["a"] };
  const fields = { a: lib.String(), b: lib.Optional(lib.Integer({ minimum: 0 })), c: lib.Optional(lib.Null()) };
  return {
    array: lib.Array(lib.String(), { minItems: 1, ...options }),
    boolean: lib.Boolean(),
    deprecated: lib.Boolean({ deprecated: true }),
    enum: lib.Enum(["a", "b"], { type: "string" }),
    integer: lib.Integer({ minimum: 0, maximum: 5 }),
    literal: lib.Literal("a"),
    "literal number": lib.Literal(1, options),
    "literal boolean": lib.Literal(true),
    null: lib.Null(),
    number: lib.Number({ minimum: 0 }),
    object: lib.Object(fields, { additionalProperties: false, ...options }),
    "object with another's fields": lib.Object({ ...lib.Object(fields).properties, d: lib.Object({}) }),
    "object without required fields": lib.Object({ a: lib.Optional(lib.String()) }),
    optional: lib.Optional(lib.Union([lib.String(options), lib.Null()], options)),
    "optional twice": lib.Optional(lib.Optional(lib.String())),
    string: lib.String({ pattern: "^a$", ...options }),
    union: lib.Union([lib.Literal("a"), lib.Unknown()]),
    unknown: lib.Unknown(options),
    unsafe: lib.Unsafe<string>(lib.String(options)),
    "optional unsafe": lib.Optional(
      lib.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true }),
    ),
  };
}

describe("the functions that create schemas", () => {
  const expected = schemasOf(TypeBox);
  for (const [name, schema] of Object.entries(schemasOf(Type))) {
    it(`match TypeBox for ${name}`, () => {
      expect(inspect(schema)).to.deep.equal(inspect(expected[name] ?? {}));
    });
  }

  it("do not change a schema that becomes optional", () => {
    const schema = Type.String();
    Type.Optional(schema);
    expect(inspect(schema)).to.deep.equal(inspect(TypeBox.String()));
  });
});
