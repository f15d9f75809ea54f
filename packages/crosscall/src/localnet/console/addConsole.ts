import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type {
  FastifyPluginCallback,
  FastifyPluginOptions,
  FastifyReply,
  FastifyRequest,
  RawServerDefault,
} from "fastify";
import * as Type from "typebox";

import type { Log } from "../log.ts";
import { markup } from "../../replay/report/html/markup.ts";
import { prepareResponse } from "../service/errors.ts";
import { rejectForbidden } from "../service/rejection.ts";
import type { ServiceApp } from "../service/route.ts";
import { createAccess } from "./access.ts";
import { addAssets, readAssets } from "./assets.ts";
import { addChainPages } from "./chains.ts";
import type { ConsoleParts } from "./consoleParts.ts";
import { createControls } from "./controls.ts";
import { addDemo } from "./demo.ts";
import { alert } from "./elements.ts";
import { addFillPages } from "./fills.ts";
import { openLiveChanges } from "./liveChanges.ts";
import { CONTENT_SECURITY_POLICY, createPages, type Pages } from "./page.ts";
import { addQuotePage } from "./quote.ts";
import { addRequestListPage } from "./requests/list.ts";
import { addSvmPages } from "./svm.ts";
import { addRequestPage } from "./requests/request.ts";

export const CONSOLE_PATH = "/console";

const SIGN_IN_PATH = "/console/sign-in";

const HEADERS = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
  // `no-referrer` would prevent forms from sending an origin.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/**
 * Serves the web console on the service's port. The console controls the network only through the admin routes.
 *
 * @returns a function that creates the path of a one-time sign-in link
 */
export async function addConsole(app: ServiceApp, parts: ConsoleParts): Promise<() => string> {
  const access = createAccess(parts.access, parts.adminKey);
  const assets = await readAssets();
  const live = await openLiveChanges(parts);
  app.addHook("onClose", () => live.close());
  app.decorateRequest("sinceSeconds", 0);
  const plugin: FastifyPluginCallback<FastifyPluginOptions, RawServerDefault, TypeBoxTypeProvider, Log> = (
    scope,
    _options,
    done,
  ) => {
    scope.addHook("onRequest", (request, reply, checked) => {
      void reply.headers(HEADERS);
      checked(access.findRejection(request));
    });
    scope.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, parsed) => {
      parsed(null, Object.fromEntries(new URLSearchParams(String(body))));
    });
    const pages = createPages(addAssets(scope, assets), access);
    scope.setErrorHandler((error, request, reply) => sendError(pages, error, request, reply));
    scope.get(CONSOLE_PATH, { schema: { hide: true } }, (_request, reply) => reply.redirect("/console/requests"));
    scope.post(
      "/console/unlock",
      { schema: { hide: true, body: Type.Object({ key: Type.String(), back: Type.String() }) } },
      (request, reply) => {
        const { key, back } = request.body;
        if (!access.unlock(request, reply, key)) {
          throw rejectForbidden(
            "key",
            "is not the network's admin key",
            "Use the key that the network was started with.",
          );
        }
        return reply.redirect(/^\/console(?:\/(?!sign-in\/)|\?|$)/u.test(back) ? back : CONSOLE_PATH, 303);
      },
    );
    scope.get(
      `${SIGN_IN_PATH}/:token`,
      { schema: { hide: true, params: Type.Object({ token: Type.String() }) }, exposeHeadRoute: false },
      (request, reply) => {
        if (!access.signIn(request, reply, request.params.token) && access.rightsOf(request) !== "open") {
          throw rejectForbidden(
            "token",
            "is unknown or already used",
            "Enter the network's admin key, which `crosscall up` prints.",
          );
        }
        return reply.redirect(CONSOLE_PATH, 303);
      },
    );
    const shared = { ...parts, pages, live, controls: createControls(app, access, parts) };
    addDemo(scope, shared);
    addRequestListPage(scope, shared);
    addRequestPage(scope, shared);
    addFillPages(scope, shared);
    addChainPages(scope, shared);
    addSvmPages(scope, shared);
    addQuotePage(scope, shared);
    done();
  };
  await app.register(plugin);
  return () => `${SIGN_IN_PATH}/${access.createToken()}`;
}

function sendError(pages: Pages, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, body } = prepareResponse(error, request, reply);
  const message = alert(body.message);
  if (request.headers["hx-request"] !== undefined) return pages.sendPart(reply.status(status), message);
  return pages.send(request, reply, {
    title: "Error",
    status,
    content: markup`<h1>Error ${status}</h1>${message}<p><a href="/console/requests">Requests</a></p>`,
  });
}
