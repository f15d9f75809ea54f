import type { FastifyRequest } from "fastify";

import { isObject, parseJson } from "@crosscall/protocol/schema";
import { RefusalError } from "../market/refusal.ts";
import { refuseForbidden } from "../service/refusal.ts";
import type { ServiceApp } from "../service/route.ts";
import type { Access } from "./access.ts";
import type { ConsoleParts } from "./consoleParts.ts";

export interface ServiceCall {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: object;
}

export interface Controls {
  /**
   * Calls an admin route for a page that may change the network.
   *
   * @throws {@link RefusalError} without the right, or as the route answers
   */
  change(request: FastifyRequest, call: ServiceCall): Promise<unknown>;
  /** Whether the pages show their controls. */
  mayChange(request: FastifyRequest): boolean;
  /** Requests a quote with the network's API key, under the same right: a quote is stored. */
  quote(request: FastifyRequest, body: object): Promise<unknown>;
}

/** The console changes a network through the service's own routes, so that there is one set of rules. */
export function createControls(
  app: ServiceApp,
  access: Pick<Access, "rightsOf">,
  { adminKey, apiKey }: Pick<ConsoleParts, "adminKey" | "apiKey">,
): Controls {
  const mayChange = (request: FastifyRequest): boolean => access.rightsOf(request) === "open";
  const call = async (
    request: FastifyRequest,
    { method, path, body }: ServiceCall,
    headers: Readonly<Record<string, string>>,
  ): Promise<unknown> => {
    if (!mayChange(request)) {
      throw refuseForbidden("admin key", "is needed to change the network", "Enter it at the top of the page.");
    }
    const response = await app.inject({ method, url: path, headers, ...(body === undefined ? {} : { payload: body }) });
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
    // Quotes of version 3 have it in errorData, which is a text elsewhere.
    const { hint = "See the message." } = isObject(errorData) ? errorData : error;
    throw new RefusalError({ status: response.statusCode, body: { message }, hint });
  };
  return {
    mayChange,
    change: (request, control) => call(request, control, { "x-admin-key": adminKey }),
    quote: (request, body) => call(request, { method: "POST", path: "/quote/v3", body }, { "x-api-key": apiKey }),
  };
}
