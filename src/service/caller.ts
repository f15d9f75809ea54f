import type { FastifyRequest } from "fastify";

import type { Caller } from "./keys/keyRing.ts";
import { refuseKey } from "./refusal.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Undefined without an API key. Set before any route runs. */
    caller: Caller | undefined;
  }
}

/** @throws {@link RefusalError} without an API key */
export function requireCaller({ caller }: FastifyRequest): Caller {
  if (caller === undefined) throw refuseKey();
  return caller;
}

export function isOwnRequest(caller: Caller | undefined, request: { readonly api_key_hash: string | null }): boolean {
  return caller !== undefined && request.api_key_hash !== null && caller.ownKeyHashes.has(request.api_key_hash);
}
