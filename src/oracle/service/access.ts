import { createHash, timingSafeEqual } from "node:crypto";

import type { FastifyRequest } from "fastify";

import type { ApiKey } from "../config/settings.ts";

/** Who may call what (spec 3, section 5). */
export interface Access {
  /** Whether a call carries a key that is known. */
  hasKey(request: FastifyRequest): boolean;
  /** Whether a call may be answered: with keys set only the documentation and the health check are open. */
  isAllowed(request: FastifyRequest): boolean;
}

/** Access by keys. */
export function createAccess(apiKeys: readonly ApiKey[] | undefined): Access {
  const digests = (apiKeys ?? []).map(({ key }) => digestOf(key));
  const hasKey = (request: FastifyRequest): boolean => {
    const given = keyOf(request);
    if (given === undefined) return false;
    const digest = digestOf(given);
    // All are compared, each in constant time: how long it takes tells nothing about the keys.
    return digests.reduce((isKnown, known) => timingSafeEqual(known, digest) || isKnown, false);
  };
  return {
    hasKey,
    isAllowed: (request) => apiKeys === undefined || isOpen(request.url) || hasKey(request),
  };
}

/** The key that a call carries. */
export function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers["x-api-key"];
  return typeof key === "string" && key !== "" ? key : undefined;
}

/** Whether a URL is open to everyone. */
function isOpen(url: string): boolean {
  const path = url.split("?", 1)[0] ?? "";
  return path === "/lives/v1" || path === "/documentation" || path.startsWith("/documentation/");
}

function digestOf(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
