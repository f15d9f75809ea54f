import type { FastifyRequest } from "fastify";

import { hashApiKey } from "../store/keys.ts";
import type { Caller } from "./keys/keyRing.ts";
import { refuseForbidden, refuseKey } from "./refusal.ts";

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

/** Of the caller's key that requested the quote; null without a name. */
export function keyNameOf({ ownKeyNames }: Caller, request: { readonly api_key_hash: string | null }): string | null {
  return ownKeyNames.get(request.api_key_hash ?? "") ?? null;
}

export function isOwnRequest(caller: Caller | undefined, request: { readonly api_key_hash: string | null }): boolean {
  return caller !== undefined && request.api_key_hash !== null && caller.ownKeyHashes.has(request.api_key_hash);
}

/**
 * @returns the hash of the key
 * @throws {@link RefusalError} if the key belongs to another integrator
 */
export function requireOwnKey(caller: Caller, apiKey: string, field: string): string {
  const hash = hashApiKey(apiKey);
  if (caller.ownKeyHashes.has(hash)) return hash;
  throw refuseForbidden(field, "contains a key of a different integrator", "Use keys of your own integrator only.");
}
