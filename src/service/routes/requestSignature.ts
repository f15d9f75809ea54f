import * as Type from "typebox";
import { isHex, size } from "viem";

import { EXCHANGE_CHAIN_ID } from "@crosscall/sdk/internal/chains/chainIds";
import { ServiceErrorSchema } from "@crosscall/sdk/internal/protocol/common/serviceError";
import {
  hashRequest,
  RequestSignatureSchema,
  type SignedRequestData,
} from "@crosscall/sdk/internal/protocol/request/requestSignature";
import { refuseUnknown } from "../../market/refusal.ts";
import { findRequest } from "../../store/requests.ts";
import type { ServiceRoute } from "../route.ts";

// This endpoint has its own error codes (spec 4, section 1).
const BadIdSchema = Type.Object({ message: Type.String(), code: Type.String() }, { description: "No request id." });

/** Signed by the solver wallet (spec 1, section 4.4). */
export const requestSignatureRoute: ServiceRoute<"solver" | "store"> = (app, parts) => {
  app.get(
    "/requests/:requestId/signature",
    {
      schema: {
        summary: "A request's data with the service's signature",
        params: Type.Object({ requestId: Type.String({ description: "The request's id." }) }),
        response: { 200: RequestSignatureSchema, 400: BadIdSchema, "4xx": ServiceErrorSchema },
      },
      // Malformed ids are rejected below, in this endpoint's own form.
      validatorCompiler: () => (value: unknown) => ({ value }),
    },
    async ({ params: { requestId } }, reply) => {
      if (!isHex(requestId, { strict: true }) || size(requestId) !== 32) {
        return reply.status(400).send({
          message: `${requestId} is not a request id: it must be 32 bytes of hex. Use the requestId of a quote's steps.`,
          code: "INVALID_REQUEST",
        });
      }
      const request = await findRequest(parts.store.db, requestId);
      if (request === undefined) throw refuseUnknown(`request ${requestId}`);
      const requestData: SignedRequestData = {
        originChainId: request.origin_chain_id,
        originUser: request.user,
        originCurrency: request.origin_currency,
        originAmount: request.input_amount,
        destinationChainId: request.destination_chain_id,
        destinationUser: request.recipient,
      };
      if ([request.origin_chain_id, request.destination_chain_id].includes(EXCHANGE_CHAIN_ID)) {
        // It is not known how the live service encodes exchange currencies.
        return reply.status(400).send({
          message: `request ${requestId} is on the exchange chain, whose accounts cannot be signed over.`,
          code: "INVALID_REQUEST",
        });
      }
      const signature = await parts.solver.signMessage({ message: { raw: hashRequest(request.id, requestData) } });
      return { requestData, signature };
    },
  );
};
