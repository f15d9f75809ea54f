import { endpointGeneration } from "@crosscall/protocol/generations";
import * as Type from "typebox";

const {
  deprecatedSince: DEPRECATED_AT,
  throttledFrom: THROTTLED_FROM,
  endsOn: SUNSET_AT,
} = endpointGeneration("/requests/v2");

const SUCCESSOR = "/requests/v3";
// Path of the migration guide. The specification does not contain the URL of the live service's guide.
const MIGRATION_GUIDE = "/documentation";

interface Limit {
  readonly fromMs: number;
  readonly withKey: number;
  readonly withoutKey: number;
}

// Limits in requests per minute. The specification only says that the limit shrinks each month from September 2026.
// Here, the limit starts at the default of a key (spec 4, section 4) and halves each month. Without a key, the limit is
// half as high.
const LIMITS: readonly Limit[] = [
  { fromMs: -Infinity, withKey: 200, withoutKey: 100 },
  { fromMs: Date.parse(THROTTLED_FROM), withKey: 100, withoutKey: 50 },
  { fromMs: Date.parse("2026-10-01T00:00:00.000Z"), withKey: 50, withoutKey: 25 },
  { fromMs: Date.parse("2026-11-01T00:00:00.000Z"), withKey: 25, withoutKey: 12 },
];

export function callsPerMinuteV2(nowMs: number, hasKey: boolean): number {
  const limit = LIMITS.findLast(({ fromMs }) => fromMs <= nowMs);
  return (hasKey ? limit?.withKey : limit?.withoutKey) ?? 0;
}

export function isRetiredV2(nowMs: number): boolean {
  return nowMs >= Date.parse(SUNSET_AT);
}

/** Headers of every v2 response (spec 4, section 4). */
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

export const MovedSchema = Type.Object(guide, { description: "Use the successor." });

export const DeprecationSchema = Type.Object({
  ...guide,
  deprecatedAt: Type.String({ description: "ISO 8601." }),
  throttledFrom: Type.String({ description: "ISO 8601." }),
  sunsetAt: Type.String({ description: "ISO 8601." }),
});

export const DEPRECATION = {
  message: `GET /requests/v2 is deprecated and ends on 24 November 2026. Use GET ${SUCCESSOR}.`,
  deprecatedAt: DEPRECATED_AT,
  throttledFrom: THROTTLED_FROM,
  sunsetAt: SUNSET_AT,
  successor: SUCCESSOR,
  migrationGuide: MIGRATION_GUIDE,
};

export const THROTTLED = {
  message: `GET /requests/v2 allows fewer requests each month until it ends. Use GET ${SUCCESSOR}.`,
  successor: SUCCESSOR,
  migrationGuide: MIGRATION_GUIDE,
};

export const RETIRED = {
  message: `GET /requests/v2 ended on 24 November 2026. Use GET ${SUCCESSOR}.`,
  successor: SUCCESSOR,
  migrationGuide: MIGRATION_GUIDE,
};
