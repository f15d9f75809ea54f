import type { IncomingMessage, ServerResponse } from "node:http";

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance, FastifyRequest, RawServerDefault } from "fastify";
import type { TSchema } from "typebox";

import { ServiceErrorSchema } from "@crosscall/protocol/errors";
import type { Log } from "../log.ts";
import { rejectKey } from "./rejection.ts";
import type { ServiceParts } from "./serviceParts.ts";

export type ServiceApp = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, Log, TypeBoxTypeProvider>;

export type ServiceRoute<Parts = ServiceParts> = (app: ServiceApp, parts: Parts) => void;

/** Returns the response schemas of a route with the common error format. */
export function responses<Schema extends TSchema>(success: Schema) {
  return { 200: success, "4xx": ServiceErrorSchema } as const;
}

/** Requires a key before the query is parsed, so that callers without a key learn nothing about the query. */
export function requireKey(
  { caller }: Pick<FastifyRequest, "caller">,
  _reply: unknown,
  done: (refusal?: Error) => void,
): void {
  done(caller === undefined ? rejectKey() : undefined);
}
