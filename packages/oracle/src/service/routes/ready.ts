import * as Type from "typebox";

import { compact } from "@crosscall/protocol/core";
import { anyFields } from "@crosscall/protocol/schema";
import { createReadiness } from "../readiness.ts";
import type { OracleRoute } from "../route.ts";

const ReachabilitySchema = Type.Union([Type.Literal("ok"), Type.Literal("unreachable"), Type.Literal("disabled")]);

const ReadySchema = Type.Object({
  status: Type.Union([Type.Literal("ready"), Type.Literal("unready")]),
  chains: anyFields("`ok`, `unreachable` or `disabled` by the id of the chain."),
  missing: Type.Optional(anyFields("Variables or fields that a disabled chain needs, by the id of the chain.")),
  hub: ReachabilitySchema,
  allocator: Type.Optional(ReachabilitySchema),
});

/** Whether the oracle can attest, unlike `/lives/v1`, which is about the process only. */
export const readyRoute: OracleRoute = (app, context) => {
  const { disabledChains } = context;
  const readiness = createReadiness(context);
  app.get(
    "/ready",
    {
      schema: {
        summary: "Whether the oracle reaches its chains and the hub; 503 if not",
        response: { 200: ReadySchema, 503: ReadySchema },
      },
    },
    async (_request, reply) => {
      const { isReady, chains, hub, allocator } = await readiness.check();
      reply.header("cache-control", "no-store");
      const body = { status: isReady ? ("ready" as const) : ("unready" as const), chains: { ...chains }, hub };
      const missing = Object.keys(disabledChains).length === 0 ? undefined : { ...disabledChains };
      return reply.status(isReady ? 200 : 503).send({ ...body, ...compact({ missing, allocator }) });
    },
  );
};
