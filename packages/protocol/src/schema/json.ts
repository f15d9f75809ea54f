import { MalformedDataError } from "../core/errors.ts";

/** Keys of a JSON path; numbers are array indexes. */
export type Keys = readonly (string | number)[];

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Formats a JSON path: `data.inTxs[0].hash`, `data["a b"]`.
 * @param at path of the root of the keys, `""` for the whole value
 */
export function formatPath(keys: Keys, at = ""): string {
  return keys.reduce<string>((path, key) => {
    if (typeof key === "number") return `${path}[${key}]`;
    if (!/^[A-Za-z_$][\w$]*$/u.test(key)) return `${path}[${JSON.stringify(key)}]`;
    return path === "" ? key : `${path}.${key}`;
  }, at);
}

/** Returns `undefined` if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param what name of the text */
export function requireJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MalformedDataError({ what, path: "", reason: "it is not JSON", cause });
  }
}
