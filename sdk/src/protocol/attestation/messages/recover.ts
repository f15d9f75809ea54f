import * as Type from "typebox";

import { OracleOrderSchema } from "./order.ts";
import { HintsSchema, RequestPeerSignatures } from "./requestParts.ts";

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
