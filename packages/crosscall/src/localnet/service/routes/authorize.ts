import * as Type from "typebox";

import { isSameAddress } from "@crosscall/protocol/chains";
import { MessageSchema } from "@crosscall/protocol/common";
import { hexText } from "@crosscall/protocol/schema";
import type { LedgerUser, StoreUser } from "../../market/market.ts";
import { recoverMapper } from "../../market/nonceMapping.ts";
import { rejectField, rejectProblem, rejectUnknown } from "../../market/rejection.ts";
import { findRequestByOrderId } from "../../store/requests/requests.ts";
import { rejectInvalid } from "../admin/rejectInvalid.ts";
import { responses, type ServiceRoute } from "../route.ts";

const BodySchema = Type.Object({
  type: Type.Literal("nonce-mapping"),
  walletChainId: Type.Integer({ description: "Chain of the transfer." }),
  wallet: hexText("Sender of the transfer.", 20),
  depositor: hexText("The user of the request.", 20),
  id: hexText("The orderId.", 32),
  nonce: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: "Nonce of the transfer." }),
  signatureChainId: Type.Integer({ minimum: 0, description: "Chain id in the domain of the signature." }),
  referrer: Type.Optional(Type.String({ description: "Tag of the integration." })),
});

const QuerySchema = Type.Object({ signature: Type.String({ description: "Signature of the step's message." }) });

/** Links a transfer on Hyperliquid to its request. The live service documents the request only. */
export const authorizeRoute: ServiceRoute<StoreUser & LedgerUser> = (app, { store, ledgers }) => {
  app.post(
    "/authorize",
    {
      schema: {
        summary: "Link the nonce of a transfer to an order",
        querystring: QuerySchema,
        body: BodySchema,
        response: responses(MessageSchema),
      },
    },
    async ({ body, query: { signature } }) => {
      const { walletChainId, wallet, depositor, nonce, signatureChainId } = body;
      const ledger = ledgers.get(walletChainId);
      if (ledger?.link === undefined) {
        throw rejectProblem({
          errorCode: "UNSUPPORTED_CHAIN",
          field: "walletChainId",
          value: walletChainId,
          reason: "is not a chain whose transfers need a link",
          hint: "Post the body of the step unchanged.",
        });
      }
      const id = body.id.toLowerCase();
      const request = await findRequestByOrderId(store.db, id);
      if (request === undefined) throw rejectUnknown(`order ${id}`);
      const hint = "Post the body of the step unchanged.";
      if (request.origin_chain_id !== walletChainId) {
        throw rejectField(
          "walletChainId",
          walletChainId,
          `is not the order's origin chain, ${request.origin_chain_id}`,
          hint,
        );
      }
      for (const [field, value] of Object.entries({ wallet, depositor })) {
        if (!isSameAddress(value, request.user)) throw rejectField(field, value, `is not ${request.user}`, hint);
      }
      const signer = await recoverMapper({ wallet, depositor, id, nonce }, signatureChainId, signature);
      if (signer === undefined || !isSameAddress(signer, wallet)) {
        throw rejectField("signature", signature, `is not from ${wallet}`, "Sign the step's message unchanged.");
      }
      await rejectInvalid(ledger.link({ requestId: request.id, wallet, nonce }));
      return { message: "Success" };
    },
  );
};
