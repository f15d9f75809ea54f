import { Registry } from "prom-client";
import * as Type from "typebox";

import type { ServiceApp } from "../route.ts";
import type { ServiceParts } from "../serviceParts.ts";
import { measureCalls } from "./callMetrics.ts";
import { addStateMetrics } from "./stateMetrics.ts";

/** Prometheus text format, without keys, addresses or ids. */
export function addMetrics(app: ServiceApp, parts: Pick<ServiceParts, "chains" | "store">): void {
  // Several services of a process must not share the library's registry.
  const registry = new Registry();
  measureCalls(app, registry);
  const readState = addStateMetrics(parts, registry);
  app.get(
    "/metrics",
    {
      schema: {
        summary: "Metrics for Prometheus",
        produces: ["text/plain"],
        response: { 200: Type.String({ description: "Prometheus text format." }) },
      },
      serializerCompiler: () => String,
    },
    async (_request, reply) => {
      await readState();
      return reply.type(registry.contentType).send(await registry.metrics());
    },
  );
}
