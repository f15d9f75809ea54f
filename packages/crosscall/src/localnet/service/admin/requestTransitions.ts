import * as Type from "typebox";

import { ServiceErrorSchema } from "@crosscall/protocol/common";
import { RequestStatusSchema } from "@crosscall/protocol/request";
import { nullable } from "@crosscall/protocol/schema";
import { refuseUnknown } from "../../market/refusal.ts";
import { findRequest } from "../../store/requests/requests.ts";
import { listTransitions } from "../../store/requests/transitions.ts";
import type { ServiceRoute } from "../route.ts";
import type { ServiceParts } from "../serviceParts.ts";

export const RequestTransitionsSchema = Type.Object({
  transitions: Type.Array(
    Type.Object({
      from: RequestStatusSchema,
      to: RequestStatusSchema,
      at: Type.String({ description: "ISO 8601, by the service's clock." }),
      reason: nullable(Type.String({ description: "Reason of the transition, if any: a failReason or an event." })),
    }),
    { description: "In chronological order." },
  ),
});

/** A state change of a request. */
export type RequestTransition = Type.Static<typeof RequestTransitionsSchema>["transitions"][number];

/** @throws {@link RefusalError} if the request is unknown */
export async function readTransitions(
  { store }: Pick<ServiceParts, "store">,
  requestId: string,
): Promise<RequestTransition[]> {
  if ((await findRequest(store.db, requestId)) === undefined) throw refuseUnknown(`request ${requestId}`);
  const rows = await listTransitions(store.db, requestId);
  return rows.map(({ from_status, to_status, at, reason }) => ({
    from: from_status,
    to: to_status,
    at: at.toISOString(),
    reason,
  }));
}

export const requestTransitionsRoute: ServiceRoute<"store"> = (app, parts) => {
  app.get(
    "/admin/requests/:requestId/transitions",
    {
      schema: {
        summary: "List the state changes of a request",
        params: Type.Object({ requestId: Type.String() }),
        response: { 200: RequestTransitionsSchema, "4xx": ServiceErrorSchema },
      },
    },
    async ({ params: { requestId } }) => {
      return { transitions: await readTransitions(parts, requestId) };
    },
  );
};
