import * as Type from "typebox";

import { ServiceErrorSchema } from "@crosscall/protocol/common";
import { nullable } from "@crosscall/protocol/schema";
import { refuseUnknown } from "../../market/refusal.ts";
import { findRequest, setRecordFields } from "../../store/requests/requests.ts";
import type { ServiceRoute } from "../route.ts";

const FieldsSchema = Type.Object(
  {
    supersededByRequestId: Type.Optional(
      nullable(Type.String({ description: "The regenerated request of a deposit address." })),
    ),
    partnerId: Type.Optional(nullable(Type.String({ description: "Id of a payment partner." }))),
    usesOraclePrice: Type.Optional(Type.Boolean({ description: "Adds `data.quoteOraclePrice`." })),
    triggeredByFastFill: Type.Optional(nullable(Type.Boolean())),
  },
  { additionalProperties: false, minProperties: 1 },
);

/** Sets what a record states and no local network does, so that clients can read it. */
export const recordFieldsRoute: ServiceRoute<"store"> = (app, parts) => {
  app.post(
    "/admin/requests/:requestId/record",
    {
      schema: {
        summary: "Set simulated fields of a request's record",
        params: Type.Object({ requestId: Type.String({ description: "The request's id." }) }),
        body: FieldsSchema,
        response: { 200: FieldsSchema, "4xx": ServiceErrorSchema },
      },
    },
    async ({ params: { requestId }, body }) => {
      const { db } = parts.store;
      const request = await findRequest(db, requestId);
      if (request === undefined) throw refuseUnknown(`request ${requestId}`);
      await setRecordFields(db, request.id, body);
      return body;
    },
  );
};
