import { InvalidInputError, MalformedDataError } from "@crosscall/protocol/core";
import { AccessTokenSchema } from "@crosscall/protocol/common";
import { callService } from "./callService.ts";
import type { ServiceClient } from "./client.ts";

/** A token for a browser or a mobile app. */
export interface AccessToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Exchanges the client's API key for an access token of 15 minutes (`POST /access-tokens`). Call it on your server, for users
 * that may use the service, and return the token without caching it. The key needs elevated rate limits.
 *
 * @throws {@link InvalidInputError} when the client has no API key
 * @throws {@link ServiceError} when the service refuses, for example since the key's limits are not elevated
 */
export async function createAccessToken(
  client: ServiceClient,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<AccessToken> {
  if (client.apiKey === undefined) {
    throw new InvalidInputError({
      field: "client.apiKey",
      value: undefined,
      reason: "POST /access-tokens requires an API key",
      hint: "Create the client with apiKey, on your server.",
    });
  }
  const call = { method: "POST", path: "/access-tokens", body: {}, schema: AccessTokenSchema, signal } as const;
  const { token, expiresAt } = await callService(client, { ...call, needs: ["token", "expiresAt"] });
  const end = new Date(expiresAt);
  if (!Number.isNaN(end.getTime())) return { token, expiresAt: end };
  throw new MalformedDataError({
    what: "the response of POST /access-tokens",
    path: "expiresAt",
    reason: "it is not a time",
  });
}
