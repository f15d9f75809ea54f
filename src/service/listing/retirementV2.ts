import * as Type from "typebox";

/** When `GET /requests/v2` was deprecated, is throttled from, and ends (spec 1, section 9). */
const DEPRECATED_AT = "2026-07-22T00:00:00.000Z";
const THROTTLED_FROM = "2026-09-01T00:00:00.000Z";
const SUNSET_AT = "2026-11-24T00:00:00.000Z";

const SUCCESSOR = "/requests/v3";
// The live service's guide stands at an address that the specification leaves out.
const MIGRATION_GUIDE = "/documentation";

/** Calls a minute. */
interface Limit {
  readonly fromMs: number;
  readonly withKey: number;
  readonly withoutKey: number;
}

// The specification says that the limit shrinks each month from September 2026 and gives no numbers: here it starts at
// the default of a key (spec 4, section 4), halves each month, and is half of that without a key.
const LIMITS: readonly Limit[] = [
  { fromMs: -Infinity, withKey: 200, withoutKey: 100 },
  { fromMs: Date.parse(THROTTLED_FROM), withKey: 100, withoutKey: 50 },
  { fromMs: Date.parse("2026-10-01T00:00:00.000Z"), withKey: 50, withoutKey: 25 },
  { fromMs: Date.parse("2026-11-01T00:00:00.000Z"), withKey: 25, withoutKey: 12 },
];

/** How many calls of v2 a minute are answered at a time. */
export function callsPerMinuteV2(nowMs: number, hasKey: boolean): number {
  const limit = LIMITS.findLast(({ fromMs }) => fromMs <= nowMs);
  return (hasKey ? limit?.withKey : limit?.withoutKey) ?? 0;
}

/** Whether v2 is gone at a time. */
export function isRetiredV2(nowMs: number): boolean {
  return nowMs >= Date.parse(SUNSET_AT);
}

/** What every answer of v2 carries (spec 4, section 4). */
export const RETIREMENT_HEADERS = {
  deprecation: `@${Date.parse(DEPRECATED_AT) / 1_000}`,
  sunset: new Date(SUNSET_AT).toUTCString(),
  link: [
    `<${MIGRATION_GUIDE}>; rel="deprecation"; type="text/html"`,
    `<${MIGRATION_GUIDE}>; rel="sunset"; type="text/html"`,
    `<${SUCCESSOR}>; rel="successor-version"`,
  ].join(", "),
};

const guide = {
  message: Type.String(),
  successor: Type.String({ description: "The endpoint to use instead." }),
  migrationGuide: Type.String(),
};

/** Schema of what v2 answers with 410 and 429. */
export const MovedSchema = Type.Object(guide, { description: "Use the successor." });

/** Schema of `deprecation` in a page of v2. */
export const DeprecationSchema = Type.Object({
  ...guide,
  deprecatedAt: Type.String({ description: "ISO 8601." }),
  throttledFrom: Type.String({ description: "ISO 8601." }),
  sunsetAt: Type.String({ description: "ISO 8601." }),
});

/** `deprecation` of a page of v2. */
export const DEPRECATION = {
  message: `GET /requests/v2 is deprecated and ends on 24 November 2026. Use GET ${SUCCESSOR}.`,
  deprecatedAt: DEPRECATED_AT,
  throttledFrom: THROTTLED_FROM,
  sunsetAt: SUNSET_AT,
  successor: SUCCESSOR,
  migrationGuide: MIGRATION_GUIDE,
};

/** The body of a 429 of v2. */
export const THROTTLED = {
  message: `GET /requests/v2 allows fewer requests each month until it ends. Use GET ${SUCCESSOR}.`,
  successor: SUCCESSOR,
  migrationGuide: MIGRATION_GUIDE,
};

/** The body of a 410 of v2. */
export const RETIRED = {
  message: `GET /requests/v2 ended on 24 November 2026. Use GET ${SUCCESSOR}.`,
  successor: SUCCESSOR,
  migrationGuide: MIGRATION_GUIDE,
};
