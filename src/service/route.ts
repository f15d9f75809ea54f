import type { IncomingMessage, ServerResponse } from "node:http";

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance, RawServerDefault } from "fastify";

import type { Log } from "../log.ts";
import type { ServiceParts } from "./serviceParts.ts";

/** The service's HTTP application, with types from the routes' schemas. */
export type ServiceApp = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, Log, TypeBoxTypeProvider>;

/** Adds one route, or a few that belong together. */
export type ServiceRoute<Field extends keyof ServiceParts = keyof ServiceParts> = (
  app: ServiceApp,
  parts: Pick<ServiceParts, Field>,
) => void;
