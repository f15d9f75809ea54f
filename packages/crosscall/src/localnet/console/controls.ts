import type { FastifyRequest, InjectOptions } from "fastify";

import { compact } from "@crosscall/protocol/core";
import { isObject, parseJson } from "@crosscall/protocol/schema";
import { RejectionError } from "../market/rejection.ts";
import { type AdminInput, adminPath, type AdminRoute } from "../service/admin/routes.ts";
import { rejectForbidden } from "../service/rejection.ts";
import type { ServiceApp } from "../service/route.ts";
import type { Access } from "./access.ts";
import type { ApiKeyHolder } from "./consoleParts.ts";
import type { AdminKeyHolder } from "../service/serviceParts.ts";

export interface Controls {
  /**
   * Sends an admin request for a page that can change the network.
   *
   * @throws {@link RejectionError} if the page cannot change the network, or with the response status of the route
   */
  change<Route extends AdminRoute>(request: FastifyRequest, route: Route, input: AdminInput<Route>): Promise<unknown>;
  /** Returns whether a page shows its controls. */
  mayChange(request: FastifyRequest): boolean;
  /**
   * Requests a quote with the network's API key. Requires the right to change the network, because the quote is stored.
   */
  quote(request: FastifyRequest, body: object): Promise<unknown>;
}

/** Creates controls that change a network through the service's own routes, so that the same rules apply. */
export function createControls(
  app: ServiceApp,
  access: Pick<Access, "rightsOf">,
  { adminKey, apiKey }: AdminKeyHolder & ApiKeyHolder,
): Controls {
  const mayChange = (request: FastifyRequest): boolean => access.rightsOf(request) === "open";
  const call = async (request: FastifyRequest, options: InjectOptions): Promise<unknown> => {
    if (!mayChange(request)) {
      throw rejectForbidden(
        "admin key",
        "is required to change the network",
        "Enter the admin key at the top of the page.",
      );
    }
    const response = await app.inject(options);
    const answer = parseJson(response.body);
    if (response.statusCode < 400) return answer;
    const {
      message = "the service failed",
      errorData,
      ...error
    } = (answer ?? {}) as {
      readonly message?: string;
      readonly hint?: string;
      readonly errorData?: string | { readonly hint?: string };
    };
    // In v3 quotes, `errorData` contains the hint. Elsewhere, `errorData` is a string.
    const { hint = "See the message." } = isObject(errorData) ? errorData : error;
    throw new RejectionError({ status: response.statusCode, body: { message }, hint });
  };
  return {
    mayChange,
    change(request, route, input) {
      const { body: payload } = input as { readonly body?: object };
      const url = adminPath(route, input as object);
      const headers = { "x-admin-key": adminKey };
      return call(request, { method: route.method, url, headers, ...compact({ payload }) });
    },
    quote: (request, payload) =>
      call(request, { method: "POST", url: "/quote/v3", headers: { "x-api-key": apiKey }, payload }),
  };
}
