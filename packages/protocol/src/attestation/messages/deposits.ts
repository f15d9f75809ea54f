import { doc } from "#doc";
import type * as Type from "typebox";

import { SignedExecutionSchema } from "./execution.ts";
import { HintsSchema, RequestPeerSignatures } from "./requestParts.ts";
import * as T from "../../schema/type.ts";

export const DepositsBodySchema = T.Object({
  chainId: T.String({ description: doc("The chain's name in orders.") }),
  transactionId: T.String({ description: doc("As the chain writes it.") }),
  mode: T.Optional(T.Union([T.Literal("fast"), T.Literal("slow")])),
  hints: T.Optional(HintsSchema),
  requestPeerSignatures: RequestPeerSignatures,
});

export type DepositsBody = Type.Static<typeof DepositsBodySchema>;

export const DepositMessageSchema = T.Object({
  data: T.Object({ chainId: T.String(), transactionId: T.String() }),
  result: T.Object({
    onchainId: T.String(),
    depository: T.String(),
    depositId: T.Optional(T.String()),
    depositor: T.String(),
    currency: T.String(),
    amount: T.String({ description: doc("In the smallest unit.") }),
  }),
  extraData: T.Object({ timestamp: T.String({ description: doc("Unix seconds of the block.") }) }),
});

export type DepositMessage = Type.Static<typeof DepositMessageSchema>;

export const DepositsAnswerSchema = T.Object({
  messages: T.Array(DepositMessageSchema),
  execution: T.Optional(SignedExecutionSchema),
});

export type DepositsAttestation = Type.Static<typeof DepositsAnswerSchema>;
