/** Endpoint families with a rate limit each (spec 4, section 4). v2 has its own limit. */
export const LIMIT_FAMILIES = ["quote", "listing", "other"] as const;

export type LimitFamily = (typeof LIMIT_FAMILIES)[number];

/** Requests per minute by endpoint family; `false` for no limit. */
export type KeyLimits = Readonly<Record<LimitFamily, number | false>>;

/** Spec 4, section 4. */
export const DOCUMENTED_LIMITS: KeyLimits = { quote: 50, listing: 200, other: 200 };

export const NO_LIMITS: KeyLimits = { quote: false, listing: false, other: false };

/** The second is the same endpoint. */
export const QUOTE_V2_PATHS = ["/quote/v2", "/quote"] as const;

export const QUOTE_V3_PATH = "/quote/v3";

export const QUOTE_PATHS: readonly string[] = [...QUOTE_V2_PATHS, QUOTE_V3_PATH];

/** Undefined if calls of the route are not counted here. */
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
