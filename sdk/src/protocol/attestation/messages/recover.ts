import * as Type from "typebox";

import { OracleOrderSchema } from "./order.ts";
import { HintsSchema, RequestPeerSignatures } from "./requestParts.ts";

/** The owner's signature, or an unsettled order. */
export const authorizationFields = {
  ownerSignature: Type.Optional(Type.String({ description: "Required but in recoverMode." })),
  recoverMode: Type.Optional(
    Type.Boolean({ description: "Whether an order that was neither filled nor refunded replaces the signature." }),
  ),
  depositChainId: Type.Optional(Type.String({ description: "Required in recoverMode; so are the next four." })),
  depositTransactionId: Type.Optional(Type.String()),
  depositOnchainId: Type.Optional(Type.String()),
  order: Type.Optional(OracleOrderSchema),
  orderSignature: Type.Optional(Type.String({ description: "Of the order's solver." })),
};

export type AuthorizationFields = Type.Static<Type.TObject<typeof authorizationFields>>;

export const RecoverBodySchema = Type.Object({
  chainId: Type.String({ description: "The chain of the deposit, by its name in orders." }),
  transactionId: Type.String(),
  onchainId: Type.String({ description: "Which deposit of the transaction." }),
  order: Type.Optional(OracleOrderSchema),
  orderSignature: Type.Optional(Type.String({ description: "Of the order's solver." })),
  hints: Type.Optional(HintsSchema),
  requestPeerSignatures: RequestPeerSignatures,
});

export type RecoverBody = Type.Static<typeof RecoverBodySchema>;
