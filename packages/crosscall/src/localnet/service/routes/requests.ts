import * as Type from "typebox";
import { type Hex, isHex, size } from "viem";

import { MessageSchema } from "@crosscall/protocol/common";
import { InvalidInputError } from "@crosscall/protocol/core";
import { ServiceErrorSchema } from "@crosscall/protocol/errors";
import type { IntentStatus } from "@crosscall/protocol/complete";
import { IntentStatusSchema } from "@crosscall/protocol/request";
import {
  hashRequest,
  hashRequestV2,
  RequestSignatureSchema,
  RequestSignatureV2Schema,
  type SignedRequestData,
  type SignedRequestDataV2,
} from "@crosscall/protocol/request/signature";
import { oneOfOrUnknown, REQUEST_STATUSES_V2 } from "@crosscall/protocol/schema";
import { RejectionError, rejectUnknown } from "../../market/rejection.ts";
import {
  findRequest,
  findRequestState,
  type RequestRow,
  type RequestState,
  setRecordFields,
} from "../../store/requests/requests.ts";
import { responseMessageAndCode, MessageAndCodeSchema } from "../errorForms.ts";
import { referrerQuery } from "../listing/queryParts.ts";
import { toIntentStatus } from "../records/requestTransactions.ts";
import { STATUSES_V1, toStatusV1, toStatusV2 } from "../records/status.ts";
import { responses, type ServiceRoute } from "../route.ts";
import type { Payer, Recorder, StoreUser } from "../../market/market.ts";

const StatusQuerySchema = Type.Object({
  requestId: Type.String({ description: "The request's id." }),
  ...referrerQuery,
});

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

/** The day on which the live service added the reasons. */
const REASONS_SINCE = Date.parse("2026-08-07T00:00:00.000Z");

export const intentStatusRoute: ServiceRoute<Recorder> = (app, parts) => {
  const { db } = parts.store;
  const find = async (requestId: string) => {
    const request = await findRequestState(db, requestId);
    if (request === undefined) throw rejectUnknown(`request ${requestId}`);
    return { request, present: toIntentStatus(request, request.transactions) };
  };
  const schema = { querystring: StatusQuerySchema };
  app.get(
    "/intents/status/v3",
    {
      schema: {
        summary: "Get the status of a request",
        ...schema,
        response: responses(IntentStatusSchema),
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
        summary: "Get the status of a request, without `submitted`",
        ...schema,
        response: responses(StatusV2Schema),
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
        summary: "Get the status of a request in the first format",
        ...schema,
        response: responses(StatusV1Schema),
      },
    },
    async ({ query }) => {
      const found = await find(query.requestId);
      return { ...toOlderFields(found), status: toStatusV1(found.request.status) };
    },
  );
};

/** Converts a response to the older versions, which have a different name for the time, and no reasons. */
function toOlderFields({ request, present }: { readonly request: RequestState; readonly present: IntentStatus }) {
  const { updatedAt: _at, quoteCreatedAt: _createdAt, failReason: _, refundFailReason: _refund, ...fields } = present;
  return { ...fields, time: request.updated_at.getTime() };
}

const params = Type.Object({ requestId: Type.String({ description: "The request's id." }) });

// The handler rejects malformed ids in this endpoint's own format.
const validatorCompiler = () => (value: unknown) => ({ value });

/** Signed by the solver wallet (spec 1, section 4.4). */
export const requestSignatureRoute: ServiceRoute<Payer & StoreUser> = (app, parts) => {
  app.get(
    "/requests/:requestId/signature",
    {
      schema: {
        summary: "Get a request's data with the service's signature",
        params,
        response: { 200: RequestSignatureSchema, 400: MessageAndCodeSchema, "4xx": ServiceErrorSchema },
      },
      validatorCompiler,
      errorHandler: responseMessageAndCode,
    },
    async ({ params: { requestId } }) => {
      return signRequest(parts, await findSignedRequest(parts, requestId));
    },
  );
  app.get(
    "/requests/:requestId/signature/v2",
    {
      schema: {
        summary: "Get a request's data with its output currency, and the service's signature",
        params,
        response: { 200: RequestSignatureV2Schema, 400: MessageAndCodeSchema, "4xx": ServiceErrorSchema },
      },
      validatorCompiler,
      errorHandler: responseMessageAndCode,
    },
    async ({ params: { requestId } }) => {
      const request = await findSignedRequest(parts, requestId);
      const requestData: SignedRequestDataV2 = {
        originChainId: request.origin_chain_id,
        originUser: request.user,
        originCurrency: request.origin_currency,
        destinationChainId: request.destination_chain_id,
        destinationUser: request.recipient,
        destinationCurrency: request.destination_currency,
      };
      const raw = hashWords(() => hashRequestV2(request.id, requestData));
      return { requestData, signature: await parts.solver.signMessage({ message: { raw } }) };
    },
  );
};

/** @throws {@link RejectionError} if the words of a chain are not documented, such as those of Bitcoin */
function hashWords(hash: () => Hex): Hex {
  try {
    return hash();
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const hint = "Request signatures are available between EVM chains, Solana, Hyperliquid and Lighter.";
    throw rejectSignature(`the request cannot be signed: ${error.message}`, hint);
  }
}

/** Returns the request's data with the solver wallet's signature. */
export async function signRequest(
  { solver }: Payer,
  request: RequestRow,
): Promise<{ readonly requestData: SignedRequestData; readonly signature: Hex }> {
  const requestData: SignedRequestData = {
    originChainId: request.origin_chain_id,
    originUser: request.user,
    originCurrency: request.origin_currency,
    originAmount: request.input_amount,
    destinationChainId: request.destination_chain_id,
    destinationUser: request.recipient,
  };
  const digest = hashWords(() => hashRequest(request.id, requestData));
  return { requestData, signature: await solver.signMessage({ message: { raw: digest } }) };
}

/** @throws {@link RejectionError} if the request is unknown */
async function findSignedRequest({ store }: StoreUser, requestId: string): Promise<RequestRow> {
  if (!isHex(requestId, { strict: true }) || size(requestId) !== 32) {
    throw rejectSignature(
      `${requestId} is not a request id: it must be 32 bytes of hex`,
      "Use the requestId of a quote's steps.",
    );
  }
  const request = await findRequest(store.db, requestId);
  if (request === undefined) throw rejectUnknown(`request ${requestId}`);
  return request;
}

function rejectSignature(reason: string, hint: string): RejectionError {
  return new RejectionError({
    status: 400,
    body: { message: `${reason}. ${hint}`, errorCode: "INVALID_REQUEST" },
    hint,
  });
}

/** Stores a payment partner's id of the user's purchase. */
export const requestMetadataRoute: ServiceRoute<StoreUser> = (app, parts) => {
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
        response: responses(MessageSchema),
      },
    },
    async ({ body: { requestId, additionalMetadata } }) => {
      const { db } = parts.store;
      const request = await findRequest(db, requestId);
      if (request === undefined) throw rejectUnknown(`request ${requestId}`);
      await setRecordFields(db, request.id, { partnerId: additionalMetadata.moonPayId });
      return { message: "Request metadata updated" };
    },
  );
};
