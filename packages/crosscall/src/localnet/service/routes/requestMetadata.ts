import * as Type from "typebox";

import { MessageSchema, ServiceErrorSchema } from "@crosscall/protocol/common";
import { refuseUnknown } from "../../market/refusal.ts";
import { findRequest, setRecordFields } from "../../store/requests/requests.ts";
import type { ServiceRoute } from "../route.ts";

/** Stores the id that a payment partner gave to the user's purchase. */
export const requestMetadataRoute: ServiceRoute<"store"> = (app, parts) => {
  app.post(
    "/requests/metadata",
    {
      schema: {
        summary: "Attach a payment partner's id to a request",
        body: Type.Object({
          requestId: Type.String({ description: "The request's id." }),
          additionalMetadata: Type.Object({
            moonPayId: Type.String({ minLength: 1, description: "The partner's id." }),
          }),
          referrer: Type.Optional(Type.String({ description: "Accepted without effect." })),
        }),
        response: { 200: MessageSchema, "4xx": ServiceErrorSchema },
      },
    },
    async ({ body: { requestId, additionalMetadata } }) => {
      const { db } = parts.store;
      const request = await findRequest(db, requestId);
      if (request === undefined) throw refuseUnknown(`request ${requestId}`);
      await setRecordFields(db, request.id, { partnerId: additionalMetadata.moonPayId });
      return { message: "Request metadata updated" };
    },
  );
};
