import { createHash, timingSafeEqual } from "node:crypto";

import type { FastifyReply, FastifyRequest } from "fastify";

import { RejectionError } from "../market/rejection.ts";
import { isAccessToken, readAccessToken } from "./keys/accessTokens.ts";
import { type LimitFamily, limitFamilyOf, rateOf } from "./keys/keyOptions.ts";
import type { Caller } from "./keys/keyRing.ts";
import { RateLimit, secondsToNext } from "./rateLimit.ts";
import { rejectKey, rejectRate } from "./rejection.ts";
import type { ServiceApp } from "./route.ts";
import type { Timed } from "../market/market.ts";
import type { AdminKeyHolder, AdmissionParts, DefaultKeyHolder, KeyHolder, TokenSigner } from "./serviceParts.ts";

/**
 * Checks every HTTP request before its body is read: admin endpoints require the admin key, an API key must be active,
 * and rate limits apply. Requests without an active key are counted by address.
 */
export function addAdmission(app: ServiceApp, parts: AdmissionParts): void {
  const counts: Counts = new Map();
  app.decorateRequest("caller", undefined);
  app.addHook("onRequest", async (request, reply) => {
    const path = request.routeOptions.url;
    if (path?.startsWith("/admin/") === true) {
      requireAdmin(parts, request.headers);
      return;
    }
    // These endpoints must respond without the database.
    if (path === "/lives" || path === "/ready") return;
    const token = sentToken(request.headers);
    if (token !== undefined && request.headers["x-api-key"] !== undefined) throw rejectKeyAndToken();
    const apiKey = token === undefined ? sentApiKey(parts, request.headers) : undefined;
    if (apiKey !== undefined) request.caller = await parts.keys.find(apiKey);
    if (token !== undefined) request.caller = await findByToken(parts, token);
    const family = limitFamilyOf(path);
    // Other routes have their own limits, or no limit.
    if (family === undefined) return;
    requireRate(parts, { counts, path, family, caller: request.caller, ip: request.ip }, reply);
    if ((apiKey ?? token) !== undefined && request.caller === undefined) throw rejectKey();
  });
}

/** Returns the access token of an HTTP request. */
function sentToken({ authorization }: FastifyRequest["headers"]): string | undefined {
  const bearer = bearerOf(authorization);
  return bearer !== undefined && isAccessToken(bearer) ? bearer : undefined;
}

function bearerOf(authorization: string | undefined): string | undefined {
  return /^bearer (?<token>\S+)$/iu.exec(authorization ?? "")?.groups?.token;
}

async function findByToken(
  { keys, networkSecret, clock }: Timed & KeyHolder & TokenSigner,
  token: string,
): Promise<Caller | undefined> {
  const keyHash = readAccessToken(token, networkSecret, clock.now());
  const caller = keyHash === undefined ? undefined : await keys.findHash(keyHash);
  return caller && { ...caller, hasToken: true };
}

function rejectKeyAndToken(): RejectionError {
  const hint = "Send the API key from your backend, or the token from a browser.";
  return new RejectionError({
    status: 400,
    body: {
      message: `the request has an API key and an access token. ${hint}`,
      errorCode: "INVALID_REQUEST",
      hint,
    },
    hint,
  });
}

/** Returns the API key of an HTTP request. Some clients of the live service send it as a bearer token. */
export function sentApiKey(
  { defaultApiKey }: DefaultKeyHolder,
  headers: FastifyRequest["headers"],
): string | undefined {
  const key = headers["x-api-key"];
  // Repeated headers are treated as one unknown key.
  if (key !== undefined) return String(key);
  return bearerOf(headers.authorization) ?? defaultApiKey;
}

interface RateQuestion {
  readonly counts: Counts;
  readonly path: string | undefined;
  readonly family: LimitFamily;
  readonly caller: Caller | undefined;
  readonly ip: string;
}

/** Counts by length of the period, in milliseconds. */
type Counts = Map<number, RateLimit>;

function requireRate(
  { clock, limits }: AdmissionParts,
  { counts, path, family, caller, ip }: RateQuestion,
  reply: FastifyReply,
): void {
  const rate = rateOf(path, family, caller, limits);
  if (rate === undefined) return;
  const { calls, periodMs, counted } = rate;
  const limit = counts.get(periodMs) ?? new RateLimit(periodMs);
  counts.set(periodMs, limit);
  const now = clock.now();
  if (limit.take(`${counted} ${caller?.keyHash ?? ip}`, calls, now)) return;
  const seconds = secondsToNext(periodMs, now);
  void reply.header("retry-after", seconds);
  throw rejectRate(rate, seconds);
}

/**
 * Requires the admin key. It has its own header, which HTML forms cannot send.
 *
 * @throws {@link RejectionError} without the admin key
 */
function requireAdmin({ adminKey }: AdminKeyHolder, headers: FastifyRequest["headers"]): void {
  if (isSameKey(String(headers["x-admin-key"] ?? ""), adminKey)) return;
  const hint = "Send the network's admin key in the x-admin-key header; crosscall up prints it.";
  throw new RejectionError({
    status: 401,
    body: { message: `the admin API requires the admin key. ${hint}`, errorCode: "UNAUTHORIZED" },
    hint,
  });
}

/** Takes the same time for every wrong key, regardless of its length. */
export function isSameKey(given: string, key: string): boolean {
  return timingSafeEqual(digest(given), digest(key));
}

function digest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
