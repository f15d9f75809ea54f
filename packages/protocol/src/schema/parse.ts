import type { Static, TSchema } from "typebox";

import { MalformedDataError } from "../core/errors.ts";
import { findMismatch } from "./checkSchema.ts";

/**
 * Checks external data against a schema and returns it unchanged, including unknown fields. Interprets the schema, so
 * that it works with a Content-Security-Policy that forbids evaluation.
 *
 * @param schema the expected shape
 * @param value the data, parsed from JSON
 * @param what name of the data, for the error: `the response of POST /quote/v2`
 * @param at JSON path of `value` in `what`, if the value is a part of it: `steps[0].items[1].data`
 * @throws {@link MalformedDataError} with the path of the first invalid field, such as `steps[0].items[1].data.to`
 */
export function parseData<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
  what: string,
  at = "",
): Static<Schema> {
  const mismatch = findMismatch(schema, value, at);
  if (mismatch !== undefined) throw new MalformedDataError({ what, ...mismatch });
  return value as Static<Schema>;
}
