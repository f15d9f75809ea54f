import { doc } from "#doc";
import * as T from "../schema/type.ts";
import type * as Type from "typebox";
import type { ReadResponse } from "../schema/readResponse.ts";

/** Schema of the response of `POST /access-tokens`. */
export const AccessTokenSchema = T.Object(
  {
    token: T.String(),
    tokenType: T.String({ description: doc("Bearer") }),
    expiresAt: T.String({ description: doc("ISO 8601.") }),
    scope: T.String({ description: doc("public-api") }),
  },
  { description: doc("Token that a browser sends instead of the API key.") },
);

/** Entry of `GET /metrics/usage`. */
export const UsageMetricSchema = T.Object({
  apiKey: T.String(),
  timestamp: T.String({ description: doc("Start of the minute, hour or day, in ISO 8601.") }),
  endpoint: T.String({ description: doc("Path, as in /documentation.") }),
  statusCode: T.Integer(),
  errorCode: T.Optional(T.String({ description: doc("Error code of responses with status 400.") })),
  count: T.Integer(),
}) satisfies Type.TObject;

/** Number of an API key's requests with one result, as the service sends it. */
export type UsageMetric = ReadResponse<typeof UsageMetricSchema>;
