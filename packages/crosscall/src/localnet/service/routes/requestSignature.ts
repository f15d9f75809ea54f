import * as Type from "typebox";
import { type Hex, isHex, size } from "viem";

import { ServiceErrorSchema } from "@crosscall/protocol/common";
import {
  hashRequest,
  hashRequestV2,
  RequestSignatureSchema,
  RequestSignatureV2Schema,
  type SignedRequestData,
  type SignedRequestDataV2,
} from "@crosscall/protocol/request/signature";
import { RefusalError, refuseUnknown } from "../../market/refusal.ts";
import { findRequest, type RequestRow } from "../../store/requests/requests.ts";
import { answerMessageAndCode, MessageAndCodeSchema } from "../errorForms.ts";
import type { ServiceRoute } from "../route.ts";
import type { ServiceParts } from "../serviceParts.ts";

const params = Type.Object({ requestId: Type.String({ description: "The request's id." }) });

// Malformed ids are rejected below, in this endpoint's own form.
const validatorCompiler = () => (value: unknown) => ({ value });

/** Signed by the solver wallet (spec 1, section 4.4). */
export const requestSignatureRoute: ServiceRoute<"solver" | "store"> = (app, parts) => {
  app.get(
    "/requests/:requestId/signature",
    {
      schema: {
        summary: "A request's data with the service's signature",
        params,
        response: { 200: RequestSignatureSchema, 400: MessageAndCodeSchema, "4xx": ServiceErrorSchema },
      },
      validatorCompiler,
      errorHandler: answerMessageAndCode,
    },
    async ({ params: { requestId } }) => {
      return signRequest(parts, await findSignedRequest(parts, requestId));
    },
  );
  app.get(
    "/requests/:requestId/signature/v2",
    {
      schema: {
        summary: "A request's data with its output currency, and the service's signature",
        params,
        response: { 200: RequestSignatureV2Schema, 400: MessageAndCodeSchema, "4xx": ServiceErrorSchema },
      },
      validatorCompiler,
      errorHandler: answerMessageAndCode,
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
      const raw = hashRequestV2(request.id, requestData);
      return { requestData, signature: await parts.solver.signMessage({ message: { raw } }) };
    },
  );
};

/** The request's data with the signature of the solver wallet. */
export async function signRequest(
  { solver }: Pick<ServiceParts, "solver">,
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
  const digest = hashRequest(request.id, requestData);
  return { requestData, signature: await solver.signMessage({ message: { raw: digest } }) };
}

/** @throws {@link RefusalError} if there is none */
async function findSignedRequest({ store }: Pick<ServiceParts, "store">, requestId: string): Promise<RequestRow> {
  if (!isHex(requestId, { strict: true }) || size(requestId) !== 32) {
    throw refuseSignature(
      `${requestId} is not a request id: it must be 32 bytes of hex`,
      "Use the requestId of a quote's steps.",
    );
  }
  const request = await findRequest(store.db, requestId);
  if (request === undefined) throw refuseUnknown(`request ${requestId}`);
  return request;
}

function refuseSignature(reason: string, hint: string): RefusalError {
  return new RefusalError({ status: 400, body: { message: `${reason}. ${hint}`, errorCode: "INVALID_REQUEST" }, hint });
}
