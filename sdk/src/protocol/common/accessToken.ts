import * as T from "../schema/type.ts";

/** Schema of the response of `POST /access-tokens`. */
export const AccessTokenSchema = T.Object(
  {
    token: T.String(),
    tokenType: T.String({ description: "Bearer" }),
    expiresAt: T.String({ description: "ISO 8601." }),
    scope: T.String({ description: "public-api" }),
  },
  { description: "A token that a browser sends in place of the API key." },
);
