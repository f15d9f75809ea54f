import { doc } from "#doc";
import type * as Type from "typebox";

import { OracleOrderSchema } from "./order.ts";
import { HintsSchema, RequestPeerSignatures } from "./requestParts.ts";
import * as T from "../../schema/type.ts";

/** The owner's signature, or an unsettled order. */
export const authorizationFields = {
  ownerSignature: T.Optional(T.String({ description: doc("Required but in recoverMode.") })),
  recoverMode: T.Optional(
    T.Boolean({ description: doc("Whether an order that was neither filled nor refunded replaces the signature.") }),
  ),
  depositChainId: T.Optional(T.String({ description: doc("Required in recoverMode; so are the next four.") })),
  depositTransactionId: T.Optional(T.String()),
  depositOnchainId: T.Optional(T.String()),
  order: T.Optional(OracleOrderSchema),
  orderSignature: T.Optional(T.String({ description: doc("Of the order's solver.") })),
};

export type AuthorizationFields = Type.Static<Type.TObject<typeof authorizationFields>>;

export const RecoverBodySchema = T.Object({
  chainId: T.String({ description: doc("The chain of the deposit, by its name in orders.") }),
  transactionId: T.String(),
  onchainId: T.String({ description: doc("Which deposit of the transaction.") }),
  order: T.Optional(OracleOrderSchema),
  orderSignature: T.Optional(T.String({ description: doc("Of the order's solver.") })),
  hints: T.Optional(HintsSchema),
  requestPeerSignatures: RequestPeerSignatures,
});

export type RecoverBody = Type.Static<typeof RecoverBodySchema>;
