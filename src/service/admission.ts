import type { FastifyReply, FastifyRequest } from "fastify";

import { RefusalError } from "../market/refusal.ts";
import { type LimitFamily, limitFamilyOf } from "./keys/keyLimits.ts";
import type { Caller } from "./keys/keyRing.ts";
import { MinuteLimit, secondsToNextMinute } from "./minuteLimit.ts";
import { refuseKey, refuseRate } from "./refusal.ts";
import type { ServiceApp } from "./route.ts";
import type { AdmissionParts } from "./serviceParts.ts";

/**
 * Checks every call before its body is read: admin endpoints need the admin key, an API key must be active, and rate
 * limits apply. Calls without an active key count by address.
 */
export function addAdmission(app: ServiceApp, parts: AdmissionParts): void {
  const limit = new MinuteLimit();
  app.decorateRequest("caller", undefined);
  app.addHook("onRequest", async (request, reply) => {
    const path = request.routeOptions.url;
    if (path?.startsWith("/admin/") === true) {
      requireAdmin(parts, request.headers);
      return;
    }
    const apiKey = sentApiKey(parts, request.headers);
    if (apiKey !== undefined) request.caller = await parts.keys.find(apiKey);
    const family = limitFamilyOf(path);
    // Other routes have limits of their own, or none.
    if (family === undefined) return;
    requireRate(parts, { limit, family, caller: request.caller, ip: request.ip }, reply);
    if (apiKey !== undefined && request.caller === undefined) throw refuseKey();
  });
}

/** The key of a call: some clients of the live service send it as a bearer token. */
export function sentApiKey(
  { defaultApiKey }: Pick<AdmissionParts, "defaultApiKey">,
  headers: FastifyRequest["headers"],
): string | undefined {
  const key = headers["x-api-key"];
  // Repeated headers are one unknown key.
  if (key !== undefined) return String(key);
  return /^bearer (?<token>\S+)$/iu.exec(headers.authorization ?? "")?.groups?.token ?? defaultApiKey;
}

interface RateQuestion {
  readonly limit: MinuteLimit;
  readonly family: LimitFamily;
  readonly caller: Caller | undefined;
  readonly ip: string;
}

function requireRate(
  { clock, limits }: AdmissionParts,
  { limit, family, caller, ip }: RateQuestion,
  reply: FastifyReply,
): void {
  const callsPerMinute = caller?.limits[family] ?? limits[family];
  if (callsPerMinute === false) return;
  const now = clock.now();
  if (limit.take(`${family} ${caller?.keyHash ?? ip}`, callsPerMinute, now)) return;
  const seconds = secondsToNextMinute(now);
  void reply.header("retry-after", seconds);
  throw refuseRate(callsPerMinute, seconds);
}

/**
 * The key has its own header, which no HTML form can send.
 *
 * @throws {@link RefusalError} without the admin key
 */
function requireAdmin({ adminKey }: Pick<AdmissionParts, "adminKey">, headers: FastifyRequest["headers"]): void {
  if (headers["x-admin-key"] === adminKey) return;
  const hint = "Send the network's admin key in the x-admin-key header; crosscall up prints it.";
  throw new RefusalError({
    status: 401,
    body: { message: `the admin API requires the admin key. ${hint}`, errorCode: "UNAUTHORIZED" },
    hint,
  });
}
