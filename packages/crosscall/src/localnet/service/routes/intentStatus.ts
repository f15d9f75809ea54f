import * as Type from "typebox";

import { ServiceErrorSchema } from "@crosscall/protocol/common";
import type { IntentStatus } from "@crosscall/protocol/complete";
import { IntentStatusSchema } from "@crosscall/protocol/request";
import { oneOfOrUnknown, REQUEST_STATUSES_V2 } from "@crosscall/protocol/schema";
import { refuseUnknown } from "../../market/refusal.ts";
import { findRequestState, type RequestState } from "../../store/requests/requests.ts";
import { referrerQuery } from "../listing/queryParts.ts";
import { STATUSES_V1, toStatusV1, toStatusV2 } from "../records/olderStatus.ts";
import { toIntentStatus } from "../records/requestTransactions.ts";
import type { ServiceRoute } from "../route.ts";

const QuerySchema = Type.Object({ requestId: Type.String({ description: "The request's id." }), ...referrerQuery });

const { updatedAt, quoteCreatedAt, details, inTxHashes, txHashes, originChainId, destinationChainId } =
  IntentStatusSchema.properties;

const olderFields = { details, inTxHashes, txHashes, time: updatedAt, originChainId, destinationChainId };

const StatusV1Schema = Type.Object({
  status: oneOfOrUnknown(STATUSES_V1, "fallback: refunded; received: deposit confirmed."),
  ...olderFields,
});

const StatusV2Schema = Type.Object({
  status: oneOfOrUnknown(REQUEST_STATUSES_V2, "pending: deposit confirmed, or fill sent."),
  ...olderFields,
  quoteCreatedAt,
});

/** The live service added the reasons on this day. */
const REASONS_SINCE = Date.parse("2026-08-07T00:00:00.000Z");

export const intentStatusRoute: ServiceRoute<"clock" | "store"> = (app, parts) => {
  const { db } = parts.store;
  const find = async (requestId: string) => {
    const request = await findRequestState(db, requestId);
    if (request === undefined) throw refuseUnknown(`request ${requestId}`);
    return { request, present: toIntentStatus(request, request.transactions) };
  };
  const schema = { querystring: QuerySchema };
  app.get(
    "/intents/status/v3",
    {
      schema: {
        summary: "The status of a request",
        ...schema,
        response: { 200: IntentStatusSchema, "4xx": ServiceErrorSchema },
      },
    },
    async ({ query }) => {
      const { present } = await find(query.requestId);
      if (parts.clock.now() >= REASONS_SINCE) return present;
      const { failReason: _, refundFailReason: __, ...status } = present;
      return status;
    },
  );
  app.get(
    "/intents/status/v2",
    {
      schema: {
        summary: "The status of a request, without submitted",
        ...schema,
        response: { 200: StatusV2Schema, "4xx": ServiceErrorSchema },
      },
    },
    async ({ query }) => {
      const found = await find(query.requestId);
      const quoteCreatedAt = found.request.created_at.getTime();
      return { ...toOlderFields(found), status: toStatusV2(found.request.status), quoteCreatedAt };
    },
  );
  app.get(
    "/intents/status",
    {
      schema: {
        summary: "The status of a request in the first format",
        ...schema,
        response: { 200: StatusV1Schema, "4xx": ServiceErrorSchema },
      },
    },
    async ({ query }) => {
      const found = await find(query.requestId);
      return { ...toOlderFields(found), status: toStatusV1(found.request.status) };
    },
  );
};

/** Both older versions name the time differently, and have no reasons. */
function toOlderFields({ request, present }: { readonly request: RequestState; readonly present: IntentStatus }) {
  const { updatedAt: _at, quoteCreatedAt: _createdAt, failReason: _, refundFailReason: _refund, ...fields } = present;
  return { ...fields, time: request.updated_at.getTime() };
}
