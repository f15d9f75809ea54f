import { doc } from "#doc";
import type * as Type from "typebox";

import type { ReadResponse } from "../schema/readResponse.ts";
import * as T from "../schema/type.ts";

/** One line of `GET /metrics/usage`. */
export const UsageMetricSchema = T.Object({
  apiKey: T.String(),
  timestamp: T.String({ description: doc("Start of the minute, hour or day, in ISO 8601.") }),
  endpoint: T.String({ description: doc("Path, as in /documentation.") }),
  statusCode: T.Integer(),
  errorCode: T.Optional(T.String({ description: doc("Of responses with status 400.") })),
  count: T.Integer(),
}) satisfies Type.TObject;

/** Number of requests of an API key with one result, as the service sends it. */
export type UsageMetric = ReadResponse<typeof UsageMetricSchema>;
