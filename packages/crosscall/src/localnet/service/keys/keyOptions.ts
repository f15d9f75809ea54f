import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { InvalidInputError } from "@crosscall/protocol/core";
import { MINUTE_MS, SECOND_MS } from "../rateLimit.ts";

/** Options of an API key. */
export interface KeyOptions {
  /** The key: 1 to 256 visible ASCII characters. */
  readonly apiKey: string;
  /** Owner, whose keys can read each other's requests; the integrator of `apiKeys` by default. */
  readonly integrator?: string;
  /** Label of the key. */
  readonly label?: string;
  /** The key's own limits in requests per minute, by endpoint family; `false` for no limit. */
  readonly limits?: Partial<KeyLimits>;
}

export const LOCAL_INTEGRATORS = { own: "local", stranger: "stranger" } as const;

/** The highest limit that can be set. */
export const LIMIT_MAX = 1_000_000;

/** Pattern of API keys, which are sent in headers. */
export const API_KEY_PATTERN = "^[\\x21-\\x7e]{1,256}$";

/** @throws {@link InvalidInputError} naming the field */
export function checkKeyOptions(keys: readonly KeyOptions[], others: readonly string[]): void {
  const taken = new Set(others);
  for (const [index, key] of keys.entries()) {
    const field = `keys[${index}]`;
    rejectUnknownOptions(key, { apiKey: 1, integrator: 1, label: 1, limits: 1 }, `${field}.`);
    const { apiKey, limits = {} } = key;
    rejectUnknownOptions(limits, NO_LIMITS, `${field}.limits.`);
    if (!new RegExp(API_KEY_PATTERN, "u").test(apiKey)) {
      refuse(`${field}.apiKey`, "must be 1 to 256 visible ASCII characters", "Use another key.");
    }
    if (taken.has(apiKey)) refuse(`${field}.apiKey`, "is already in use", "Pass each key once.");
    taken.add(apiKey);
    for (const family of LIMIT_FAMILIES) {
      const limit = limits[family] ?? false;
      if (limit === false || (Number.isInteger(limit) && limit >= 0 && limit <= LIMIT_MAX)) continue;
      refuse(
        `${field}.limits.${family}`,
        `must be a whole number up to ${LIMIT_MAX}`,
        "Pass a whole number, or false.",
      );
    }
  }
}

/** Throws an error without the value, because the value may be a key. */
function refuse(field: string, reason: string, hint: string): never {
  throw new InvalidInputError({ field, value: "(hidden)", reason, hint });
}

/** Endpoint families, each with its own rate limit (spec 4, section 4). v2 has a separate limit. */
export const LIMIT_FAMILIES = ["quote", "listing", "other"] as const;

export type LimitFamily = (typeof LIMIT_FAMILIES)[number];

/** Requests per minute by endpoint family; `false` for no limit. */
export type KeyLimits = Readonly<Record<LimitFamily, number | false>>;

/** Documented limits without an API key (spec 4, section 4). */
export const DOCUMENTED_LIMITS: KeyLimits = { quote: 50, listing: 200, other: 200 };

/** Documented limit of a key for quotes, the listing and `GET /transactions/status`, each counted separately. */
export const KEY_CALLS_PER_SECOND = 10;

export const NO_LIMITS: KeyLimits = { quote: false, listing: false, other: false };

/** Both paths of the same endpoint. */
export const QUOTE_V2_PATHS = ["/quote/v2", "/quote"] as const;

export const QUOTE_V3_PATH = "/quote/v3";

/** Paths of older forms of a quote. */
export const SWAP_PATH = "/execute/swap";
export const MULTI_INPUT_PATH = "/execute/swap/multi-input";

export const QUOTE_PATHS: readonly string[] = [...QUOTE_V2_PATHS, QUOTE_V3_PATH, SWAP_PATH, MULTI_INPUT_PATH];

/** Returns the endpoint family of a route, or undefined if requests to the route are not counted here. */
export function limitFamilyOf(path: string | undefined): LimitFamily | undefined {
  if (path === undefined) return "other";
  if (/^\/((admin|console|documentation)(\/|$)|lives$|metrics$|ready$)/u.test(path)) return undefined;
  if (QUOTE_PATHS.includes(path)) return "quote";
  switch (path) {
    case "/requests/v3":
      return "listing";
    case "/requests/v2":
      return undefined;
    default:
      return "other";
  }
}

export interface Rate {
  readonly calls: number;
  readonly periodMs: number;
  /** Routes that are counted together. */
  readonly counted: string;
}

/** Returns the rate limit of a caller for a route, or undefined if there is none. */
export function rateOf(
  path: string | undefined,
  family: LimitFamily,
  caller: { readonly limits: Partial<KeyLimits> } | undefined,
  limits: KeyLimits,
): Rate | undefined {
  const own = caller?.limits[family];
  const calls = own ?? limits[family];
  if (calls === false) return undefined;
  const isStatus = path === "/transactions/status";
  if (caller !== undefined && own === undefined && (family !== "other" || isStatus)) {
    return { calls: KEY_CALLS_PER_SECOND, periodMs: SECOND_MS, counted: isStatus ? "status" : family };
  }
  return { calls, periodMs: MINUTE_MS, counted: family };
}
