import { type UsageMetric, UsageMetricSchema } from "@crosscall/protocol/common";
import { readResponse } from "@crosscall/protocol/schema";
import { callService } from "./callService.ts";
import { requireApiKey, type ServiceClient } from "./client.ts";
import { encodeQuery } from "./queryFields.ts";
import * as T from "@crosscall/protocol/schema/type";

/** Parameters of `getUsage`. */
export interface GetUsageParameters {
  /** `minutely` goes back 24 hours, `hourly` (the default) 7 days, `daily` 14 days. */
  readonly granularity?: "minutely" | "hourly" | "daily";
  /** Date or Unix seconds. */
  readonly startTimestamp?: Date | number;
  /** Date or Unix seconds; now by default. */
  readonly endTimestamp?: Date | number;
  /** Your API keys, up to 50; the client's by default. Errors do not contain them. */
  readonly apiKey?: string | readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns how often your API keys called each endpoint (`GET /metrics/usage`), by period and status. The result contains
 * the API keys: keep it out of logs.
 *
 * @throws {@link InvalidInputError} when the client has no API key or a parameter is malformed; nothing is sent then
 * @throws {@link MalformedDataError} when the response has no `metrics`
 * @throws {@link ServiceError} when the service refuses, for example a key that is not yours
 */
export async function getUsage(
  client: ServiceClient,
  { signal, ...query }: GetUsageParameters = {},
): Promise<readonly UsageMetric[]> {
  requireApiKey(client, "GET /metrics/usage");
  const { metrics } = await callService(client, {
    method: "GET",
    path: "/metrics/usage",
    query: encodeQuery({ granularity: "text", startTimestamp: "time", endTimestamp: "time", apiKey: "list" }, query),
    secrets: [query.apiKey ?? []].flat(),
    schema: T.Object({ metrics: T.Array(T.Unknown()) }),
    needs: ["metrics"],
    signal,
  });
  return metrics.map((metric) => readResponse(UsageMetricSchema, metric));
}
