import type { FastifyRequest } from "fastify";

import type { Caller } from "./keys/keyRing.ts";
import { refuseKey } from "./refusal.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who calls, by the API key of the call; undefined where it carries none. Set before any route looks. */
    caller: Caller | undefined;
  }
}

/**
 * The owner of a call's API key.
 *
 * @throws {@link RefusalError} when the call carries none
 */
export function requireCaller({ caller }: FastifyRequest): Caller {
  if (caller === undefined) throw refuseKey();
  return caller;
}

/** Whether a request was quoted with a key of this caller. */
export function isOwnRequest(caller: Caller | undefined, request: { readonly api_key_hash: string | null }): boolean {
  return caller !== undefined && request.api_key_hash !== null && caller.ownKeyHashes.has(request.api_key_hash);
}
