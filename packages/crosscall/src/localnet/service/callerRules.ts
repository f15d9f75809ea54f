import type { FastifyRequest } from "fastify";

import type { RefusalError } from "../market/refusal.ts";
import type { LocalNames } from "@crosscall/oracle/server";
import { pathOf } from "./errors.ts";
import { refuseForbidden } from "./refusal.ts";
import type { ServiceApp } from "./route.ts";

/** Routes that other websites may not call, unlike the API. */
const OWN_ROUTES = /^\/(?:admin|console)(?:\/|$)/u;

/** Checks where a call comes from, before anything answers it. */
export function addCallerRules(app: ServiceApp, names: LocalNames): void {
  // An HTML form can send it.
  app.removeContentTypeParser("text/plain");
  app.addHook("onRequest", (request, _reply, checked) => {
    checked(findRefusal(request, names));
  });
}

/** Whether a call goes to a route for the network's own pages and commands only. */
export function isOwnRoute(request: Pick<FastifyRequest, "url">): boolean {
  try {
    // As the router reads it.
    return OWN_ROUTES.test(decodeURIComponent(pathOf(request)));
  } catch {
    return true;
  }
}

function findRefusal(request: FastifyRequest, names: LocalNames): RefusalError | undefined {
  const { host, origin } = request.headers;
  const refused = names.refuseHost(host);
  if (refused !== undefined) return refuseForbidden(refused.field, refused.reason, refused.hint);
  if (origin === undefined || isOwnOrigin(origin, host) || !isOwnRoute(request)) return undefined;
  return refuseForbidden(
    "origin",
    `${JSON.stringify(origin)} is another website`,
    "Call admin routes from a program, and open the console in a tab of its own.",
  );
}

/** Whether a page was served by this service. */
export function isOwnOrigin(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}
