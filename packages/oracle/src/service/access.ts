import { hash, timingSafeEqual } from "node:crypto";

import type { FastifyRequest } from "fastify";

import type { ApiKey } from "../config/settings.ts";

/** Access by API key. */
export interface Access {
  /** Returns the label of the caller's key, or undefined without a valid key. */
  labelOf(request: FastifyRequest): string | undefined;
  /**
   * Returns whether a request is allowed. If keys are configured, only the documentation and the health checks are
   * public.
   */
  isAllowed(request: FastifyRequest): boolean;
}

export function createAccess(apiKeys: readonly ApiKey[] | undefined): Access {
  const known = (apiKeys ?? []).map(({ key, label }) => ({ digest: digestOf(key), label }));
  const find = (request: FastifyRequest): string | undefined => {
    const given = keyOf(request);
    if (given === undefined) return undefined;
    const digest = digestOf(given);
    // Compares the key with all configured keys in constant time.
    const [label] = known.flatMap((key) => (timingSafeEqual(key.digest, digest) ? [key.label] : []));
    return label;
  };
  // Cached, because a request needs its label several times.
  const labels = new WeakMap<FastifyRequest, string | undefined>();
  const labelOf = (request: FastifyRequest): string | undefined => {
    if (!labels.has(request)) labels.set(request, find(request));
    return labels.get(request);
  };
  return {
    labelOf,
    isAllowed: (request) => apiKeys === undefined || isOpen(request.url) || labelOf(request) !== undefined,
  };
}

export function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers["x-api-key"];
  return typeof key === "string" && key !== "" ? key : undefined;
}

/**
 * Returns whether a path is public. Other paths with the same prefix are not public, because callers could guess keys
 * with them.
 */
export function isOpen(url: string): boolean {
  const path = url.split("?", 1)[0] ?? "";
  return path === "/lives/v1" || path === "/ready" || path === "/documentation" || path.startsWith("/documentation/");
}

function digestOf(key: string): Buffer {
  return hash("sha256", key, "buffer");
}
