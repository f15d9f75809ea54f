import { InvalidInputError } from "@crosscall/protocol/core";
import { type KeyLimits, LIMIT_FAMILIES } from "./keyLimits.ts";

/** Options of an API key. */
export interface KeyOptions {
  /** 1 to 256 visible ASCII characters. */
  readonly apiKey: string;
  /** Whose it is: keys of the same integrator see each other's requests. That of `apiKeys` when left out. */
  readonly integrator?: string;
  /** What the key is for. */
  readonly label?: string;
  /** The key's own limits in calls a minute, by family of endpoints; `false` for no limit. */
  readonly limits?: Partial<KeyLimits>;
}

export const LOCAL_INTEGRATORS = { own: "local", stranger: "stranger" } as const;

/** The highest limit that can be set. */
export const LIMIT_MAX = 1_000_000;

/** Keys travel in headers. */
export const API_KEY_PATTERN = "^[\\x21-\\x7e]{1,256}$";

/** @throws {@link InvalidInputError} naming the field */
export function checkKeyOptions(keys: readonly KeyOptions[], others: readonly string[]): void {
  const taken = new Set(others);
  for (const [index, { apiKey, limits = {} }] of keys.entries()) {
    const field = `keys[${index}]`;
    if (!new RegExp(API_KEY_PATTERN, "u").test(apiKey)) {
      refuse(`${field}.apiKey`, "must be 1 to 256 visible ASCII characters", "Use another key.");
    }
    if (taken.has(apiKey)) refuse(`${field}.apiKey`, "is already in use", "Pass each key once.");
    taken.add(apiKey);
    for (const family of LIMIT_FAMILIES) {
      const limit = limits[family] ?? false;
      if (limit === false || (Number.isInteger(limit) && limit >= 0 && limit <= LIMIT_MAX)) continue;
      refuse(`${field}.limits.${family}`, `must be a whole number up to ${LIMIT_MAX}`, "Pass one, or false.");
    }
  }
}

/** Never includes the value: it may be a key. */
function refuse(field: string, reason: string, hint: string): never {
  throw new InvalidInputError({ field, value: "(hidden)", reason, hint });
}
