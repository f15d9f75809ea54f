import { createHash, timingSafeEqual } from "node:crypto";

import type { FastifyRequest } from "fastify";

import type { ApiKey } from "../config/settings.ts";

/** Spec 3, section 5. */
export interface Access {
  hasKey(request: FastifyRequest): boolean;
  /** With keys configured, only the documentation and the health check are public. */
  isAllowed(request: FastifyRequest): boolean;
}

export function createAccess(apiKeys: readonly ApiKey[] | undefined): Access {
  const digests = (apiKeys ?? []).map(({ key }) => digestOf(key));
  const hasKey = (request: FastifyRequest): boolean => {
    const given = keyOf(request);
    if (given === undefined) return false;
    const digest = digestOf(given);
    // Compares with all keys in constant time.
    return digests.reduce((isKnown, known) => timingSafeEqual(known, digest) || isKnown, false);
  };
  return {
    hasKey,
    isAllowed: (request) => apiKeys === undefined || isOpen(request.url) || hasKey(request),
  };
}

export function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers["x-api-key"];
  return typeof key === "string" && key !== "" ? key : undefined;
}

function isOpen(url: string): boolean {
  const path = url.split("?", 1)[0] ?? "";
  return path === "/lives/v1" || path === "/documentation" || path.startsWith("/documentation/");
}

function digestOf(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
