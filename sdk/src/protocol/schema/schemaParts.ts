import * as Type from "typebox";

import type { UnknownValue } from "./unknownValue.ts";

/** v3 writes null for "none". */
export function nullable<Schema extends Type.TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** A union in TypeScript, an enumeration in JSON Schema. */
export function oneOf<const Values extends string[]>(values: readonly [...Values], description: string) {
  return Type.Enum(values, { type: "string", description });
}

/** `Type.Record` would add all of TypeBox to the light entry points. */
export function anyFields(description: string) {
  return Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true, description });
}

/** For responses: other values pass, as {@link UnknownValue}. Use `oneOf` for what callers pass in. */
export function oneOfOrUnknown<const Values extends string[]>(values: readonly [...Values], description: string) {
  return Type.Unsafe<Values[number] | UnknownValue>(Type.String({ description, examples: [...values] }));
}

/** Undefined for other schemas. */
export function listedValues(schema: Type.TSchema): readonly string[] | undefined {
  return (schema as { examples?: readonly string[] }).examples;
}

/** An unsigned decimal string in the smallest unit. */
export function amountText(description: string) {
  return Type.String({ pattern: "^(0|[1-9][0-9]{0,77})$", description });
}

/** US dollars, a rate or basis points. */
export function decimalText(description?: string) {
  return Type.String({
    pattern: "^-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?$",
    ...(description === undefined ? {} : { description }),
  });
}

/** With 0x; `byteLength` if it is fixed. */
export function hexText(description: string, byteLength?: number) {
  const count = byteLength === undefined ? "*" : `{${byteLength}}`;
  return Type.String({ pattern: `^0x([0-9a-fA-F]{2})${count}$`, description });
}
