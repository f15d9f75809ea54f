import type * as Type from "typebox";

import * as T from "./type.ts";

declare const UNKNOWN: unique symbol;

/**
 * Enumeration value that this version does not know: the service's text, unchanged. The service can add statuses,
 * reasons and kinds at any time. A plain string is not an `UnknownValue`, so your code cannot write one by mistake.
 */
export type UnknownValue = string & { readonly [UNKNOWN]: true };

/** Returns whether an enumeration value is not in `values`. */
export function isUnknownValue<Known extends string>(
  values: readonly Known[],
  value: Known | UnknownValue,
): value is UnknownValue {
  return !(values as readonly string[]).includes(value);
}

/** Accepts null, because v3 writes null for "none". */
export function nullable<Schema extends Type.TSchema>(schema: Schema) {
  return T.Union([schema, T.Null()]);
}

/** Creates the schema of an enumeration: a union in TypeScript, and an `enum` in JSON Schema. */
export function oneOf<const Values extends string[]>(values: readonly [...Values], description: string) {
  return T.Enum(values, { type: "string", description });
}

/** Creates the schema of an object with any fields. */
export function anyFields(description: string) {
  return T.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true, description });
}

/**
 * Creates the schema of an enumeration in a response, which accepts other values as {@link UnknownValue}. Use `oneOf`
 * for callers' parameters.
 */
export function oneOfOrUnknown<const Values extends string[]>(values: readonly [...Values], description: string) {
  return T.Unsafe<Values[number] | UnknownValue>(T.String({ description, examples: [...values] }));
}

/** Returns the listed values, or undefined for other schemas. */
export function listedValues(schema: Type.TSchema): readonly string[] | undefined {
  return (schema as { examples?: readonly string[] }).examples;
}

/** Creates the schema of an amount: an unsigned decimal string in the smallest unit. */
export function amountText(description: string) {
  return T.String({ pattern: "^(0|[1-9][0-9]{0,77})$", description });
}

/** Creates the schema of a decimal string: US dollars, a rate or basis points. */
export function decimalText(description?: string) {
  return patternText("^-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?$", description);
}

/** Creates the schema of a hex string with 0x, which has a fixed length if `byteLength` is set. */
export function hexText(description?: string, byteLength?: number) {
  const count = byteLength === undefined ? "*" : `{${byteLength}}`;
  return patternText(`^0x([0-9a-fA-F]{2})${count}$`, description);
}

function patternText(pattern: string, description: string | undefined) {
  return T.String({ pattern, ...(description === undefined ? {} : { description }) });
}

/** Response of endpoints that return only a confirmation. */
export const MessageSchema = T.Object({ message: T.String() });
