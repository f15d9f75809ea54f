import { InvalidInputError } from "../core/errors.ts";
import type { ServiceClient } from "./client.ts";

/**
 * Refuses to call an endpoint that requires an API key without one.
 *
 * @throws {@link InvalidInputError} when the client has no key
 */
export function requireApiKey(client: ServiceClient, endpoint: string): void {
  if (client.apiKey !== undefined) return;
  throw new InvalidInputError({
    field: "client.apiKey",
    value: undefined,
    reason: `${endpoint} requires an API key on every call`,
    hint: "Make the client with createServiceClient({ baseUrl, apiKey }).",
  });
}
