import type { IncomingMessage, ServerResponse } from "node:http";

import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance, RawServerDefault } from "fastify";

import type { Log } from "../log.ts";
import type { ServiceParts } from "./serviceParts.ts";

export type ServiceApp = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, Log, TypeBoxTypeProvider>;

export type ServiceRoute<Field extends keyof ServiceParts = keyof ServiceParts> = (
  app: ServiceApp,
  parts: Pick<ServiceParts, Field>,
) => void;
