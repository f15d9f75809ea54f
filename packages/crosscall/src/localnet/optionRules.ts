import * as Type from "typebox";

import { InvalidInputError } from "@crosscall/protocol/core";
import { findMismatch } from "@crosscall/protocol/schema";

/** Schema of an option, with the reason and the hint if the value does not match it. */
export interface OptionRule {
  readonly schema: Type.TSchema;
  readonly reason: string;
  readonly hint: string;
  readonly isRequired?: true;
}

export function wholeNumber(minimum: number, maximum: number, hint: string): OptionRule {
  const schema = Type.Integer({ minimum, maximum });
  return { schema, reason: `must be a whole number from ${minimum} to ${maximum}`, hint };
}

export const port = wholeNumber(0, 65_535, "Pass a port from 1 to 65535, or 0 for a free one.");

/** @throws {@link InvalidInputError} naming the first option that does not match its rule */
export function checkRules(rules: Readonly<Record<string, OptionRule>>, options: object, prefix = ""): void {
  for (const [name, { schema, reason, hint, isRequired }] of Object.entries(rules)) {
    const value: unknown = Reflect.get(options, name);
    if (value === undefined && isRequired === undefined) continue;
    requireThat(findMismatch(schema, value) === undefined, `${prefix}${name}`, value, reason, hint);
  }
}

/** @throws {@link InvalidInputError} unless the condition holds */
export function requireThat(holds: boolean, field: string, value: unknown, reason: string, hint: string): void {
  if (!holds) throw new InvalidInputError({ field, value, reason, hint });
}
