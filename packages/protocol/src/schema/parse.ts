import type { Static, TSchema } from "typebox";

import { MalformedDataError } from "../core/errors.ts";
import { findMismatch } from "./checkSchema.ts";

/**
 * Checks external data against a schema and returns it unchanged, unknown fields included. Interprets the schema, so it
 * works where a Content-Security-Policy forbids evaluation.
 *
 * @param schema the expected shape
 * @param value the data, parsed from JSON
 * @param what names the data, for the error: `the response of POST /quote/v2`
 * @param at JSON path of `value` inside `what`, if it is a part: `steps[0].items[1].data`
 * @throws {@link MalformedDataError} with the path of the first wrong field, like `steps[0].items[1].data.to`
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
