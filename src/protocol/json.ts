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
