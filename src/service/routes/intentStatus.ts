import * as Type from "typebox";

import { ServiceErrorSchema } from "@crosscall/sdk/internal/protocol/common/serviceError";
import { IntentStatusSchema } from "@crosscall/sdk/internal/protocol/request/intentStatus";
import { refuseUnknown } from "../../market/refusal.ts";
import { findRequest } from "../../store/requests.ts";
import { listTransactions } from "../../store/transactions.ts";
import { toIntentStatus } from "../records/requestTransactions.ts";
import type { ServiceRoute } from "../route.ts";

export const intentStatusRoute: ServiceRoute<"store"> = (app, parts) => {
  app.get(
    "/intents/status/v3",
    {
      schema: {
        summary: "The status of a request",
        querystring: Type.Object({ requestId: Type.String({ description: "The request's id." }) }),
        response: { 200: IntentStatusSchema, "4xx": ServiceErrorSchema },
      },
    },
    async ({ query: { requestId } }) => {
      const request = await findRequest(parts.store.db, requestId);
      if (request === undefined) throw refuseUnknown(`request ${requestId}`);
      return toIntentStatus(request, await listTransactions(parts.store.db, [requestId]));
    },
  );
};
