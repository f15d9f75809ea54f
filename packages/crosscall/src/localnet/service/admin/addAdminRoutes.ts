import { compact } from "@crosscall/protocol/core";
import { ServiceErrorSchema } from "@crosscall/protocol/errors";
import { readRestrictions } from "../../market/quote/restrictions.ts";
import { createScenarioControls } from "../../scenarios/controls.ts";
import { setRestrictions } from "../../store/network.ts";
import type { ServiceApp } from "../route.ts";
import type { Recorder, StoreUser } from "../../market/market.ts";
import type { ScenarioReader, ServiceParts } from "../serviceParts.ts";
import { chainHandlers } from "./chains.ts";
import { clockHandlers } from "./clock.ts";
import { fillHandlers } from "./fills.ts";

import { keyHandlers, revenueShareHandlers, sponsorHandlers } from "./keys.ts";
import { rejectInvalid } from "./rejectInvalid.ts";
import { requestHandlers } from "./requests.ts";
import { ADMIN_ROUTES, type AdminHandlers, type AdminRoute } from "./routes.ts";
import { webhookHandlers } from "./webhooks.ts";

export function addAdminRoutes(app: ServiceApp, parts: ServiceParts): void {
  const handlers: AdminHandlers = {
    chains: chainHandlers(parts),
    clock: clockHandlers(parts),
    fills: fillHandlers(parts),
    keys: keyHandlers(parts),
    requests: requestHandlers(parts),
    restrictions: restrictionHandlers(parts),
    revenueShare: revenueShareHandlers(parts),
    scenarios: scenarioHandlers(parts),
    snapshot: { read: () => rejectInvalid(parts.snapshot()) },
    sponsors: sponsorHandlers(parts),
    webhooks: webhookHandlers(parts),
  };
  for (const [group, handlersOfGroup] of Object.entries<Readonly<Record<string, AnyHandler>>>(handlers)) {
    const routes: Readonly<Record<string, AdminRoute>> = ADMIN_ROUTES[group as keyof AdminHandlers];
    for (const [name, handle] of Object.entries(handlersOfGroup)) {
      const route = routes[name];
      // The type requires a handler for each route of the table, and allows no other.
      if (route !== undefined) addRoute(app, route, handle);
    }
  }
}

type AnyHandler = (input: never) => unknown;

function addRoute(app: ServiceApp, route: AdminRoute, handle: AnyHandler): void {
  const { method, path: url, summary, params, query: querystring, body, response, status = 200 } = route;
  app.route({
    method,
    url,
    schema: {
      summary,
      ...compact({ params, querystring, body }),
      response: { [status]: response, "4xx": ServiceErrorSchema },
    },
    // The schemas of the route have checked the input.
    handler: async (call, reply) => reply.status(status).send(await handle(call as never)),
  });
}

function restrictionHandlers(parts: StoreUser): AdminHandlers["restrictions"] {
  return {
    read: () => readRestrictions(parts),
    async set({ body }) {
      await setRestrictions(parts.store.db, body);
      return body;
    },
  };
}

function scenarioHandlers(parts: Recorder & ScenarioReader): AdminHandlers["scenarios"] {
  const controls = createScenarioControls(parts);
  return {
    list: async () => ({ scenarios: await controls.list() }),
    set: ({ body: { name, ...options } }) => rejectInvalid(controls.set(name, options)),
    clear: async ({ query: { name } }) => ({ scenarios: await rejectInvalid(controls.clear(name)) }),
  };
}
