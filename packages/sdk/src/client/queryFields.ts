import { rejectUnknownNames } from "@crosscall/protocol/common/rejectUnknownOptions";
import { InvalidInputError } from "@crosscall/protocol/core";
import {
  encodeRequestFilters,
  type ReferrerFilterGroup,
  type RequestFilters,
} from "@crosscall/protocol/request/records";

export type QueryField =
  | "text"
  | "whole number"
  | "whole numbers"
  | "page size"
  | "seconds"
  | "flag"
  | "time"
  | "USD"
  | "number of USD"
  | "list"
  | "filters";

export type QueryFields = Readonly<Record<string, QueryField>>;

/**
 * Returns the parameters in the given order, without undefined values.
 * @param fields all parameters of the endpoint
 */
export function encodeQuery(
  fields: QueryFields,
  query: object,
  required: readonly string[] = [],
): Record<string, string> {
  const parameters: Record<string, string> = {};
  // Ignoring a misspelled filter would list all entries.
  rejectUnknownNames(query, [...Object.keys(fields), "signal"]);
  for (const [name, value] of Object.entries(query) as [string, unknown][]) {
    const field = fields[name];
    if (value !== undefined && field !== undefined) parameters[name] = encodeField(name, field, value);
  }
  for (const name of required) if (!Object.hasOwn(parameters, name)) throw refuse(name, undefined, "it is required");
  return parameters;
}

/** Checks the fields of a body in the same way, and returns the body unchanged. */
export function checkBody<Body extends object>(fields: QueryFields, body: Body, required?: readonly string[]): Body {
  encodeQuery(fields, body, required);
  return body;
}

function encodeField(name: string, field: QueryField, value: unknown): string {
  switch (field) {
    case "text":
      return requireText(name, value);
    case "whole number":
      return requireNumber(name, value, Number.isSafeInteger(value), "a non-negative integer");
    case "whole numbers":
      if (Array.isArray(value)) return value.map((item) => encodeField(name, "whole number", item)).join(",");
      throw refuse(name, value, "it is not a list");
    case "page size":
      return requireNumber(
        name,
        value,
        Number.isInteger(value) && Number(value) <= 50 && value !== 0,
        "an integer from 1 to 50",
      );
    case "seconds":
      return requireNumber(name, value, Number.isFinite(value), "a non-negative number of seconds");
    case "flag":
      if (typeof value === "boolean") return String(value);
      throw refuse(name, value, "it must be true or false");
    case "time":
      return encodeTime(name, value);
    case "USD":
      if (typeof value === "string" && /^\d+(\.\d+)?$/u.test(value)) return value;
      throw refuse(name, value, 'an amount in USD is a decimal string, such as "12.50"');
    case "number of USD":
      return requireNumber(name, value, Number.isFinite(value), "a non-negative amount in US dollars");
    case "list":
      return encodeList(name, value);
    case "filters":
      return encodeRequestFilters(value as RequestFilters<ReferrerFilterGroup>);
    default:
      return field satisfies never;
  }
}

function requireText(name: string, value: unknown): string {
  if (typeof value === "string" && value !== "") return value;
  throw refuse(name, value, "it must be a non-empty string");
}

function requireNumber(name: string, value: unknown, isInRange: boolean, range: string): string {
  // From 1e21 on, JavaScript formats numbers with an exponent.
  if (isInRange && Number(value) >= 0 && Number(value) < 1e21) return String(value);
  throw refuse(name, value, `it is not ${range}`);
}

/** Returns Unix seconds, rounded down, because bounds are inclusive whole seconds. */
function encodeTime(name: string, value: unknown): string {
  const seconds = value instanceof Date ? Math.floor(value.getTime() / 1_000) : value;
  return requireNumber(name, seconds, Number.isSafeInteger(seconds), "a Date or whole Unix seconds");
}

function encodeList(name: string, value: unknown): string {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (items.length > 0 && items.every((item) => typeof item === "string" && item !== "" && !item.includes(","))) {
    return items.join(",");
  }
  throw refuse(name, value, "it must be a list of at least one string without commas");
}

function refuse(name: string, value: unknown, reason: string): InvalidInputError {
  // Omits API keys from errors, even invalid keys.
  const shown = name === "apiKey" ? "[api key]" : value;
  return new InvalidInputError({
    field: name,
    value: shown,
    reason,
    hint: value === undefined ? `Pass ${name}.` : `Correct or omit ${name}.`,
  });
}
