import * as Type from "typebox";

import { UsageMetricSchema } from "@crosscall/protocol/common";
import { oneOf } from "@crosscall/protocol/schema";
import { rejectField } from "../../market/rejection.ts";
import { GRANULARITIES, type Granularity, listUsage } from "../../store/usage.ts";
import { sentApiKey } from "../admission.ts";
import { requireCaller, requireOwnKey } from "../caller.ts";
import { referrerQuery, seconds, text } from "../listing/queryParts.ts";
import type { Usage } from "../metrics/countUsage.ts";
import { requireKey, responses, type ServiceApp } from "../route.ts";
import type { Recorder } from "../../market/market.ts";
import type { DefaultKeyHolder } from "../serviceParts.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const PERIODS_MS: Readonly<Record<Granularity, number>> = {
  minutely: DAY_MS,
  hourly: 7 * DAY_MS,
  daily: 14 * DAY_MS,
};

const KEYS_MAX = 50;

const QuerySchema = Type.Object({
  granularity: Type.Optional(
    oneOf(GRANULARITIES, "hourly by default. Periods go back 24 hours (minutely), 7 days (hourly) or 14 days (daily)."),
  ),
  startTimestamp: seconds("Start of the period."),
  endTimestamp: seconds("End of the period; now by default."),
  apiKey: text(`Up to ${KEYS_MAX} keys of the caller's integrator, separated by commas; the caller's key by default.`),
  ...referrerQuery,
});

export function usageRoute(app: ServiceApp, parts: Recorder & DefaultKeyHolder, usage: Usage): void {
  app.get(
    "/metrics/usage",
    {
      schema: {
        summary: "Count the requests of API keys",
        querystring: QuerySchema,
        response: responses(Type.Object({ metrics: Type.Array(UsageMetricSchema) })),
      },
      onRequest: requireKey,
    },
    async (request) => {
      const caller = requireCaller(request);
      const { granularity = "hourly", startTimestamp, endTimestamp, apiKey } = request.query;
      const keys = apiKey?.split(",") ?? [sentApiKey(parts, request.headers) ?? ""];
      if (keys.length > KEYS_MAX) {
        throw rejectField("apiKey", keys.length, `has more than ${KEYS_MAX} keys`, "Split them into several requests.");
      }
      // Keys by their hash, because the store only has hashes.
      const keyOfHash = new Map(keys.map((key) => [requireOwnKey(caller, key, "apiKey"), key]));
      const to = endTimestamp === undefined ? parts.clock.now() : endTimestamp * 1_000;
      const from = startTimestamp === undefined ? to - PERIODS_MS[granularity] : startTimestamp * 1_000;
      await usage.write();
      const counts = await listUsage(parts.store.db, {
        keyHashes: [...keyOfHash.keys()],
        granularity,
        from: new Date(from),
        to: new Date(to),
      });
      return {
        metrics: counts.map(({ keyHash, at, endpoint, statusCode, errorCode, count }) => ({
          apiKey: keyOfHash.get(keyHash) ?? "",
          timestamp: at.toISOString(),
          endpoint,
          statusCode,
          ...(errorCode === "" ? {} : { errorCode }),
          count,
        })),
      };
    },
  );
}
