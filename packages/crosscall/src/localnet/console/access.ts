import { randomBytes } from "node:crypto";

import type { FastifyReply, FastifyRequest } from "fastify";

import { hostNameOf, isLoopback } from "@crosscall/oracle/server";
import type { RejectionError } from "../market/rejection.ts";
import { isOwnOrigin } from "../service/caller.ts";
import { isSameKey } from "../service/admission.ts";
import { rejectForbidden } from "../service/rejection.ts";
import type { ConsoleAccess } from "./consoleParts.ts";

/**
 * Access rights of a page. `open`: the page can change the network. `locked`: the page can change the network after the
 * admin key is entered.
 */
export type Rights = "open" | "locked" | "readOnly";

export interface Access {
  /** Returns a rejection for requests from other websites. */
  findRejection(request: FastifyRequest): RejectionError | undefined;
  rightsOf(request: FastifyRequest): Rights;
  /** @returns whether the key is correct; if so, the browser gets a session */
  unlock(request: FastifyRequest, reply: FastifyReply, key: string): boolean;
  /** Creates the token of a sign-in link, which is valid once. */
  createToken(): string;
  /** @returns whether the token is valid; if so, the browser gets a session */
  signIn(request: FastifyRequest, reply: FastifyReply, token: string): boolean;
}

export function createAccess({ isAdmin }: ConsoleAccess, adminKey: string): Access {
  const tokens = new Set<string>();
  const sessions = new Set<string>();
  const open = (request: FastifyRequest, reply: FastifyReply): void => {
    const session = randomToken();
    sessions.add(session);
    const name = cookieName(request);
    void reply.header("set-cookie", `${name}=${session}; Path=/console; HttpOnly; SameSite=Strict`);
  };
  return {
    findRejection(request) {
      if (isOwnPage(request)) return undefined;
      return rejectForbidden("origin", "is another website", "Open the console in a separate tab.");
    },
    rightsOf(request) {
      if (!isLoopback(hostNameOf(request.headers.host)) && !isAdmin) return "readOnly";
      return sessions.has(sessionOf(request)) ? "open" : "locked";
    },
    unlock(request, reply, key) {
      if (!isSameKey(key, adminKey)) return false;
      open(request, reply);
      return true;
    },
    createToken() {
      const token = randomToken();
      tokens.add(token);
      return token;
    },
    signIn(request, reply, token) {
      if (!tokens.delete(token)) return false;
      open(request, reply);
      return true;
    },
  };
}

function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * Returns whether a request is from a page of this service, or follows a link. Other websites can only link to a page.
 */
function isOwnPage({ method, headers }: FastifyRequest): boolean {
  const { origin, host } = headers;
  const site = headers["sec-fetch-site"];
  if (origin !== undefined && !isOwnOrigin(origin, host)) return false;
  if (method !== "GET" && method !== "HEAD") return site === undefined ? origin !== undefined : site === "same-origin";
  if (site === undefined || site === "same-origin" || site === "none") return true;
  return headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
}

/** Returns the cookie's name. It contains the port, because all ports of a host share cookies. */
function cookieName({ headers }: FastifyRequest): string {
  return `crosscall_console_${/:(?<port>\d+)$/u.exec(headers.host ?? "")?.groups?.port ?? "0"}`;
}

function sessionOf(request: FastifyRequest): string {
  const pairs = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim().split("="));
  return pairs.find(([name]) => name === cookieName(request))?.[1] ?? "";
}
