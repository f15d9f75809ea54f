import type { FastifyRequest } from "fastify";

import { hashApiKey } from "../store/hashApiKey.ts";
import type { RejectionError } from "../market/rejection.ts";
import { pathOf } from "./errors.ts";
import type { Caller } from "./keys/keyRing.ts";
import { rejectForbidden, rejectKey } from "./rejection.ts";
import type { ServiceApp } from "./route.ts";
import type { LocalNames } from "@crosscall/oracle/server";

declare module "fastify" {
  interface FastifyRequest {
    /** Caller; undefined without an API key. Set before any route runs. */
    caller: Caller | undefined;
  }
}

/** @throws {@link RejectionError} without an API key */
export function requireCaller({ caller }: FastifyRequest): Caller {
  if (caller === undefined) throw rejectKey();
  return caller;
}

/** Returns the name of the caller's key that requested the quote, or null if the key has no name. */
export function keyNameOf({ ownKeyNames }: Caller, request: { readonly api_key_hash: string | null }): string | null {
  return ownKeyNames.get(request.api_key_hash ?? "") ?? null;
}

export function isOwnRequest(caller: Caller | undefined, request: { readonly api_key_hash: string | null }): boolean {
  return caller !== undefined && request.api_key_hash !== null && caller.ownKeyHashes.has(request.api_key_hash);
}

/**
 * @returns the hash of the key
 * @throws {@link RejectionError} if the key belongs to another integrator
 */
export function requireOwnKey(caller: Caller, apiKey: string, field: string): string {
  const hash = hashApiKey(apiKey);
  if (caller.ownKeyHashes.has(hash)) return hash;
  throw rejectForbidden(field, "contains a key of a different integrator", "Use keys of your own integrator only.");
}

/** Pattern of the routes that other websites may not call. */
const OWN_ROUTES = /^\/(?:admin|console)(?:\/|$)/u;

/** Checks the origin of each HTTP request before a route handles it. */
export function addCallerRules(app: ServiceApp, names: LocalNames): void {
  // HTML forms can send this content type.
  app.removeContentTypeParser("text/plain");
  app.addHook("onRequest", (request, _reply, checked) => {
    checked(findRejection(request, names));
  });
}

/** Returns whether the request is for a route that only the network's own pages and commands may use. */
export function isOwnRoute(request: Pick<FastifyRequest, "url">): boolean {
  try {
    // Decodes the path in the same way as the router.
    return OWN_ROUTES.test(decodeURIComponent(pathOf(request)));
  } catch {
    return true;
  }
}

function findRejection(request: FastifyRequest, names: LocalNames): RejectionError | undefined {
  const { host, origin } = request.headers;
  const refused = names.refuseHost(host);
  if (refused !== undefined) return rejectForbidden(refused.field, refused.reason, refused.hint);
  if (origin === undefined || isOwnOrigin(origin, host) || !isOwnRoute(request)) return undefined;
  return rejectForbidden(
    "origin",
    `${JSON.stringify(origin)} is another website`,
    "Call admin routes from a program, and open the console in a separate tab.",
  );
}

/** Returns whether a page was served by this service. */
export function isOwnOrigin(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}
