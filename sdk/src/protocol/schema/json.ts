import { MalformedDataError } from "../../core/errors.ts";

/** Keys from the root of a JSON value down to a part of it; numbers are indexes of arrays. */
export type Keys = readonly (string | number)[];

/** Whether a parsed JSON value is an object, and no array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A JSON path: `data.inTxs[0].hash`, `data["a b"]`.
 *
 * @param at path of the value that the keys start from, `""` for the root
 */
export function formatPath(keys: Keys, at = ""): string {
  return keys.reduce<string>((path, key) => {
    if (typeof key === "number") return `${path}[${key}]`;
    if (!/^[A-Za-z_$][\w$]*$/u.test(key)) return `${path}[${JSON.stringify(key)}]`;
    return path === "" ? key : `${path}.${key}`;
  }, at);
}

/** Parses JSON. Returns `undefined`, which no JSON text means, when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses JSON that must be valid.
 *
 * @param what names the text in the error
 * @throws {@link MalformedDataError} when the text is not JSON
 */
export function requireJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MalformedDataError({ what, path: "", reason: "it is not JSON", cause });
  }
}
