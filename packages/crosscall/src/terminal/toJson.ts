import { MalformedDataError } from "@crosscall/protocol/core";

/**
 * On one line; amounts as decimal strings.
 *
 * @throws {@link MalformedDataError} for data of a service that overflows the stack
 */
export function toJsonLine(value: unknown): string {
  try {
    return `${JSON.stringify(value, (_key, field: unknown) => (typeof field === "bigint" ? field.toString() : field))}\n`;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const reason = "it is nested too deeply, or too large, to print as JSON";
    throw new MalformedDataError({ what: "the data", path: "", reason, cause });
  }
}
