import { InvalidInputError, MalformedDataError } from "../core/errors.ts";

/** Name of the data in errors. */
export const QUOTE = "the quote";

/** Parses a field. A malformed field is the service's error, not the caller's. */
export function readField<Value>(text: string, path: string, parse: (text: string, field: string) => Value): Value {
  try {
    return parse(text, path);
  } catch (cause) {
    if (!(cause instanceof InvalidInputError)) throw cause;
    throw new MalformedDataError({ what: QUOTE, path, reason: cause.reason, cause });
  }
}
