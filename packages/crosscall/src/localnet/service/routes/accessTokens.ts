import * as Type from "typebox";

import { AccessTokenSchema } from "@crosscall/protocol/common";
import { RejectionError } from "../../market/rejection.ts";
import { requireCaller } from "../caller.ts";
import { mintAccessToken } from "../keys/accessTokens.ts";
import { KEY_CALLS_PER_SECOND } from "../keys/keyOptions.ts";
import { rejectKey } from "../rejection.ts";
import { responses, type ServiceRoute } from "../route.ts";
import type { Timed } from "../../market/market.ts";
import type { RateLimiter, TokenSigner } from "../serviceParts.ts";

/** Only keys with limits above the documented ones can create tokens. */
export const accessTokensRoute: ServiceRoute<Timed & TokenSigner & RateLimiter> = (
  app,
  { clock, limits, networkSecret },
) => {
  app.post(
    "/access-tokens",
    {
      schema: {
        summary: "Exchange an API key for a 15-minute access token",
        body: Type.Object({}),
        response: responses(AccessTokenSchema),
      },
      onRequest: (request, _reply, done) => {
        done(request.caller === undefined || request.caller.hasToken === true ? rejectKey() : undefined);
      },
    },
    (request, reply) => {
      const { keyHash, limits: own } = requireCaller(request);
      const quotes = own.quote ?? limits.quote;
      if (quotes !== false && quotes <= 60 * KEY_CALLS_PER_SECOND) throw rejectLimits();
      const { token, expiresAt } = mintAccessToken(keyHash, networkSecret, clock.now());
      void reply.header("cache-control", "no-store");
      return { token, tokenType: "Bearer", expiresAt: expiresAt.toISOString(), scope: "public-api" };
    },
  );
};

function rejectLimits(): RejectionError {
  const hint = "Use a key with a higher quote limit, or start the network with --limits off.";
  return new RejectionError({
    status: 403,
    body: { message: `the key's limits are not elevated. ${hint}`, errorCode: "FORBIDDEN", hint },
    hint,
  });
}
