import * as Type from "typebox";

import { abortable } from "@crosscall/protocol/core";
import { DatabaseError } from "../../store/databaseError.ts";
import type { Store } from "../../store/store.ts";
import type { ServiceApp } from "../route.ts";

export function livesRoute(app: ServiceApp): void {
  app.get(
    "/lives",
    {
      schema: {
        summary: "Check whether the service is running",
        response: { 200: Type.Object({ status: Type.Literal("ok") }) },
      },
    },
    () => ({ status: "ok" as const }),
  );
}

/** Timeout after which the database counts as not ready. */
const TIMEOUT_MS = 2_000;

const ReadySchema = Type.Object({
  status: Type.Union([Type.Literal("ready"), Type.Literal("unready")]),
  database: Type.Union([Type.Literal("ok"), Type.Literal("unreachable"), Type.Literal("read-only")]),
});

/**
 * Adds the route that reports whether the service can process requests. `/lives` only reports whether the process runs.
 */
export function readyRoute(app: ServiceApp, { store }: { readonly store: Pick<Store, "requireWritable"> }): void {
  app.get(
    "/ready",
    {
      schema: {
        summary: "Check whether the service can write to its database; 503 if not",
        response: { 200: ReadySchema, 503: ReadySchema },
      },
    },
    async (request, reply) => {
      void reply.header("cache-control", "no-store");
      try {
        await abortable(store.requireWritable(), AbortSignal.timeout(TIMEOUT_MS), "the check of the database");
        return { status: "ready" as const, database: "ok" as const };
      } catch (error) {
        request.log.warn({ error }, "the database is not ready");
        const isReadOnly = error instanceof DatabaseError && error.flaw === "read-only";
        const database = isReadOnly ? ("read-only" as const) : ("unreachable" as const);
        return reply.status(503).send({ status: "unready" as const, database });
      }
    },
  );
}
