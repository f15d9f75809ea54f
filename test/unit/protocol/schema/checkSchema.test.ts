import { readdirSync } from "node:fs";

import { expect } from "chai";
import fc from "fast-check";
import * as Type from "typebox";
import { Check, Errors } from "typebox/schema";

import { InvalidStateError } from "../../../../packages/protocol/src/core/errors.ts";
import {
  ANNOTATIONS,
  listSchemaErrors,
  matchesSchema,
  RULES,
  type SchemaError,
} from "../../../../packages/protocol/src/schema/checkSchema.ts";
import { amount, chainEntry, groupAmount, order, quote, quoteRequest, requestRecord } from "../fixtures.ts";
import { arbitraryOf, matching, mutated } from "../matching.ts";
import { recordV2 } from "../v2/fixtures.ts";
import { inputs } from "../../../support/inputs.ts";

const schemas = await exportedSchemas([
  "packages/protocol/src",
  "packages/sdk/src/client",
  "packages/sdk/src/calls",
  "packages/crosscall/src/localnet/market",
  "packages/crosscall/src/localnet/service",
]);
const named = new Map(schemas);

/** Schemas with keywords that the exported schemas do not use, including keywords from schemas outside the protocol. */
const RareWordsSchema = Type.Object(
  {
    list: Type.Array(
      Type.Union([Type.String({ minLength: 2 }), Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 })]),
    ),
    some: Type.Object({ a: Type.Optional(Type.String()) }, { additionalProperties: false, minProperties: 1 }),
    numbers: Type.Record(Type.String(), Type.Number({ minimum: -2, maximum: 2 })),
    arrays: Type.Unsafe({ type: "object", additionalProperties: Type.Array(Type.String()) }),
    one: Type.Union([Type.Literal(1), Type.Literal("1"), Type.Literal(true)]),
    any: Type.Unknown(),
    maybe: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: false },
);

const fixtures: [string, unknown][] = [
  ["AmountSchema", amount],
  ["ChainEntrySchema", chainEntry],
  ["GroupAmountSchema", groupAmount],
  ["OrderSchema", order],
  ["QuoteSchema", quote],
  ["QuoteRequestSchema", quoteRequest],
  ["RequestRecordSchema", requestRecord],
  ["RequestRecordV2Schema", recordV2],
];

describe("listSchemaErrors, compared with TypeBox,", () => {
  // fast-check throws and catches errors for characters in negated classes. Creating their stack traces took half of
  // the test's time.
  const { stackTraceLimit } = Error;

  before(() => {
    Error.stackTraceLimit = 0;
  });

  after(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });

  it("tests every exported schema", () => {
    expect(schemas.length).to.be.greaterThan(70);
    for (const [name] of fixtures) expect(named.has(name), name).to.equal(true);
  });

  for (const [name, schema] of [...schemas, ["RareWordsSchema", RareWordsSchema] as const]) {
    it(`finds the same errors in valid, invalid and arbitrary values of ${name}`, () => {
      const right = matching(schema);
      fc.assert(
        fc.property(right, (value) => {
          expect(matchesSchema(schema, value)).to.equal(true);
          expectSame(schema, value);
        }),
        { numRuns: inputs(2) },
      );
      const values = fc.oneof(mutated(right), arbitraryOf(schema), fc.jsonValue());
      fc.assert(
        fc.property(values, (value) => expectSame(schema, value)),
        { numRuns: inputs(6) },
      );
    });
  }

  for (const [name, fixture] of fixtures) {
    it(`finds the same errors in changed fixtures of ${name}`, () => {
      const schema = named.get(name)!;
      expect(matchesSchema(schema, fixture)).to.equal(true);
      fc.assert(
        fc.property(mutated(fc.constant(fixture)), (value) => expectSame(schema, value)),
        { numRuns: inputs(30) },
      );
    });
  }
});

describe("listSchemaErrors", () => {
  it("supports every keyword of every exported schema", () => {
    for (const [name, schema] of schemas) {
      const strange = listSchemas(schema)
        .flatMap((inner) => Object.getOwnPropertyNames(inner))
        .filter((word) => !Object.hasOwn(RULES, word) && !ANNOTATIONS.has(word));
      expect(strange, name).to.deep.equal([]);
      expect(() => listSchemaErrors(schema, undefined), name).not.to.throw();
    }
  });

  it("reports an unknown keyword anywhere in a schema, for any value", () => {
    const count = listSchemas(RareWordsSchema).length;
    expect(count).to.equal(19);
    for (let place = 0; place < count; place += 1) {
      const copy = structuredClone(RareWordsSchema);
      Object.assign(listSchemas(copy)[place]!, { multipleOf: 1 });
      expectUnknown(copy);
    }
  });

  it("rejects unknown keywords, even if they are not enumerable", () => {
    for (const schema of [
      { type: ["string", "null"] },
      { type: "bigint" },
      { const: {} },
      { enum: ["a", []] },
      { items: [{}] },
      { items: true },
      { properties: { a: false } },
      { $ref: "#" },
      { toString: {} },
      Type.Refine(Type.String(), () => false),
    ]) {
      expectUnknown(schema);
    }
  });

  it("checks only own fields", () => {
    const required = Type.Object({
      toString: Type.Unknown(),
      constructor: Type.Unknown(),
      ["__proto__"]: Type.Unknown(),
    });
    expect(wordsOf(required, {})).to.deep.equal([["required", ["toString", "constructor", "__proto__"]]]);
    expect(matchesSchema(Type.Object({ a: Type.String() }), Object.create({ a: "" }) as unknown)).to.equal(false);
    const optional = Type.Object({
      toString: Type.Optional(Type.String()),
      ["__proto__"]: Type.Optional(Type.String()),
    });
    expect(matchesSchema(optional, {})).to.equal(true);
    expect(wordsOf(optional, JSON.parse('{"toString":1,"__proto__":2}'))).to.deep.equal([
      ["type", "string"],
      ["type", "string"],
    ]);
    const closed = Type.Object({}, { additionalProperties: false });
    for (const name of ["__proto__", "constructor", "toString"]) {
      expect(matchesSchema(closed, JSON.parse(`{"${name}":1}`)), name).to.equal(false);
    }
  });

  it("accepts endlessly nested values if the schema does not restrict nesting", () => {
    let deep: unknown = [];
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    expect(matchesSchema(Type.Object({ a: Type.Unknown() }), { a: deep, b: deep })).to.equal(true);
    expect(matchesSchema(Type.Object({ a: Type.Literal(1) }), { a: deep })).to.equal(false);
  });

  it("counts characters, not UTF-16 code units", () => {
    const two = Type.String({ minLength: 2 });
    expect(["𝒳", "𝒳𝒳", "a𝒳", "a"].map((value) => matchesSchema(two, value))).to.deep.equal([false, true, true, false]);
  });

  it("lists only a few of many errors", () => {
    expect(listSchemaErrors(Type.Array(Type.String()), Array(1_000).fill(1))).to.have.length(8);
  });
});

async function exportedSchemas(folders: readonly string[]): Promise<[string, Type.TSchema][]> {
  const found = new Map<unknown, string>();
  for (const folder of folders) {
    const url = new URL(`../../../../${folder}/`, import.meta.url);
    for (const file of readdirSync(url, { recursive: true, encoding: "utf8" }).sort()) {
      if (!file.endsWith(".ts")) continue;
      const module = (await import(new URL(file, url).href)) as Record<string, unknown>;
      for (const [name, value] of Object.entries(module)) {
        if (Type.IsSchema(value) && "~kind" in value) found.set(value, name);
      }
    }
  }
  return [...found].map(([schema, name]) => [name, schema as Type.TSchema]);
}

/** Returns a schema and all nested schemas, found by the keywords that contain schemas. */
function listSchemas(schema: object): object[] {
  return [
    schema,
    ...Object.entries(schema).flatMap(([word, value]) => {
      if (["items", "additionalProperties"].includes(word))
        return typeof value === "object" ? listSchemas(value as object) : [];
      if (["properties", "patternProperties", "anyOf"].includes(word)) {
        return Object.values(value as Record<string, object>).flatMap(listSchemas);
      }
      return [];
    }),
  ];
}

function expectUnknown(schema: unknown): void {
  expect(() => listSchemaErrors(schema as Type.TSchema, null)).to.throw(InvalidStateError);
}

function wordsOf(schema: Type.TSchema, value: unknown): [string, unknown][] {
  return listSchemaErrors(schema, value).map(({ word, asked }) => [word, asked]);
}

function expectSame(schema: Type.TSchema, value: unknown): void {
  expect(matchesSchema(schema, value)).to.equal(Check(schema, value));
  expect(listSchemaErrors(schema, value).map(toText)).to.deep.equal(Errors(schema, value)[1].map(fromTypeBox));
}

type Found = readonly [word: string, pointer: string, asked: unknown];

function toText({ word, keys, asked }: SchemaError): Found {
  const pointer = keys.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  return [word, pointer, asked];
}

function fromTypeBox(error: ReturnType<typeof Errors>[1][number]): Found {
  const at = error.instancePath;
  switch (error.keyword) {
    case "required":
      return [error.keyword, at, error.params.requiredProperties];
    case "type":
      return [error.keyword, at, error.params.type];
    case "const":
      return [error.keyword, at, error.params.allowedValue];
    case "enum":
      return [error.keyword, at, error.params.allowedValues];
    case "pattern":
      return [error.keyword, at, error.params.pattern];
    case "minimum":
    case "maximum":
    case "minLength":
    case "minItems":
    case "maxItems":
    case "minProperties":
      return [error.keyword, at, error.params.limit];
    case "boolean":
      return ["false", at, undefined];
    default:
      return [error.keyword, at, undefined];
  }
}
