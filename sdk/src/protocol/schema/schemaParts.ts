import * as Type from "typebox";

import type { UnknownValue } from "./unknownValue.ts";

/** `schema` or null: how v3 writes "there is none". */
export function nullable<Schema extends Type.TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** A string that is one of `values`, as TypeScript union and as JSON Schema enumeration. */
export function oneOf<const Values extends string[]>(values: readonly [...Values], description: string) {
  return Type.Enum(values, { type: "string", description });
}

/** An object with any fields. `Type.Record` would bring the whole of TypeBox into the light entry points. */
export function anyFields(description: string) {
  return Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true, description });
}

/**
 * A string of an answer that is one of `values` today: others pass, and are of type {@link UnknownValue}. What the kit takes
 * from callers is `oneOf`.
 */
export function oneOfOrUnknown<const Values extends string[]>(values: readonly [...Values], description: string) {
  return Type.Unsafe<Values[number] | UnknownValue>(Type.String({ description, examples: [...values] }));
}

/** The values that a schema of {@link oneOfOrUnknown} lists; undefined for any other schema. */
export function listedValues(schema: Type.TSchema): readonly string[] | undefined {
  return (schema as { examples?: readonly string[] }).examples;
}

/** An unsigned amount on the wire: a decimal string of the smallest unit. */
export function amountText(description: string) {
  return Type.String({ pattern: "^(0|[1-9][0-9]{0,77})$", description });
}

/** A decimal string, such as US dollars, a rate or basis points. */
export function decimalText(description?: string) {
  return Type.String({
    pattern: "^-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?$",
    ...(description === undefined ? {} : { description }),
  });
}

/** Whole bytes as hex with 0x; `byteLength` where it is fixed. */
export function hexText(description: string, byteLength?: number) {
  const count = byteLength === undefined ? "*" : `{${byteLength}}`;
  return Type.String({ pattern: `^0x([0-9a-fA-F]{2})${count}$`, description });
}
