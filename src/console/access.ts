import { randomBytes, timingSafeEqual } from "node:crypto";

import type { FastifyReply, FastifyRequest } from "fastify";

import type { RefusalError } from "../market/refusal.ts";
import { refuseForbidden } from "../service/refusal.ts";
import type { ConsoleAccess } from "./consoleParts.ts";

/** `open`: may change the network. `locked`: may do so with the admin key. */
export type Rights = "open" | "locked" | "readOnly";

export interface Access {
  /** Refuses unknown hosts, and calls of other websites. */
  findRefusal(request: FastifyRequest): RefusalError | undefined;
  rightsOf(request: FastifyRequest): Rights;
  /** @returns whether the key is right; the browser then keeps a session */
  unlock(request: FastifyRequest, reply: FastifyReply, key: string): boolean;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u;

export function createAccess({ hosts, isAdmin, isKeyPublic }: ConsoleAccess, adminKey: string): Access {
  const sessions = new Set<string>();
  const accepted = new Set(hosts.map((host) => host.toLowerCase()));
  return {
    findRefusal(request) {
      const host = hostNameOf(request);
      // A website can point a name of its own at loopback.
      if (!LOOPBACK.test(host) && !accepted.has(host)) {
        return refuseForbidden(
          "host",
          `${JSON.stringify(host)} is not served`,
          "Start with --console-host to allow it.",
        );
      }
      if (isOwnPage(request)) return undefined;
      return refuseForbidden("origin", "is another website", "Open the console in a tab of its own.");
    },
    rightsOf(request) {
      const isLoopback = LOOPBACK.test(hostNameOf(request));
      if (!isLoopback && !isAdmin) return "readOnly";
      if (isLoopback && isKeyPublic) return "open";
      return sessions.has(sessionOf(request)) ? "open" : "locked";
    },
    unlock(request, reply, key) {
      if (!isSameKey(key, adminKey)) return false;
      const session = randomBytes(32).toString("base64url");
      sessions.add(session);
      const name = cookieName(request);
      void reply.header("set-cookie", `${name}=${session}; Path=/console; HttpOnly; SameSite=Strict`);
      return true;
    },
  };
}

function hostNameOf({ headers }: FastifyRequest): string {
  const url = `http://${headers.host ?? ""}`;
  return URL.canParse(url) ? new URL(url).hostname : "";
}

/** Links from other websites may open a page; nothing else may come from them. */
function isOwnPage({ method, headers }: FastifyRequest): boolean {
  const { origin, host } = headers;
  const site = headers["sec-fetch-site"];
  if (origin !== undefined && !isOwnOrigin(origin, host)) return false;
  if (method !== "GET" && method !== "HEAD") return site === undefined ? origin !== undefined : site === "same-origin";
  if (site === undefined || site === "same-origin" || site === "none") return true;
  return headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
}

function isOwnOrigin(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}

/** Cookies of all ports of a host are shared. */
function cookieName({ headers }: FastifyRequest): string {
  return `crosscall_console_${/:(?<port>\d+)$/u.exec(headers.host ?? "")?.groups?.port ?? "0"}`;
}

function sessionOf(request: FastifyRequest): string {
  const pairs = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim().split("="));
  return pairs.find(([name]) => name === cookieName(request))?.[1] ?? "";
}

function isSameKey(given: string, key: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(key)];
  return a.length === b.length && timingSafeEqual(a, b);
}
