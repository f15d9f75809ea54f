import { doc } from "#doc";
import * as T from "../schema/type.ts";

/** Schema of the response of `POST /access-tokens`. */
export const AccessTokenSchema = T.Object(
  {
    token: T.String(),
    tokenType: T.String({ description: doc("Bearer") }),
    expiresAt: T.String({ description: doc("ISO 8601.") }),
    scope: T.String({ description: doc("public-api") }),
  },
  { description: doc("A token that a browser sends in place of the API key.") },
);
