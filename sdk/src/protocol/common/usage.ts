import * as Type from "typebox";

import type { ReadResponse } from "../schema/readResponse.ts";

/** One line of `GET /metrics/usage`. */
export const UsageMetricSchema = Type.Object({
  apiKey: Type.String(),
  timestamp: Type.String({ description: "Start of the minute, hour or day, in ISO 8601." }),
  endpoint: Type.String({ description: "Path, as in /documentation." }),
  statusCode: Type.Integer(),
  errorCode: Type.Optional(Type.String({ description: "Of responses with status 400." })),
  count: Type.Integer(),
});

/** Calls of an API key with one result, as the service sends them. */
export type UsageMetric = ReadResponse<typeof UsageMetricSchema>;
