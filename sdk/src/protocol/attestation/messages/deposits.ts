import * as Type from "typebox";

import { SignedExecutionSchema } from "./execution.ts";
import { HintsSchema, RequestPeerSignatures } from "./requestParts.ts";

export const DepositsBodySchema = Type.Object({
  chainId: Type.String({ description: "The chain's name in orders." }),
  transactionId: Type.String({ description: "As the chain writes it." }),
  mode: Type.Optional(Type.Union([Type.Literal("fast"), Type.Literal("slow")])),
  hints: Type.Optional(HintsSchema),
  requestPeerSignatures: RequestPeerSignatures,
});

export type DepositsBody = Type.Static<typeof DepositsBodySchema>;

export const DepositMessageSchema = Type.Object({
  data: Type.Object({ chainId: Type.String(), transactionId: Type.String() }),
  result: Type.Object({
    onchainId: Type.String(),
    depository: Type.String(),
    depositId: Type.Optional(Type.String()),
    depositor: Type.String(),
    currency: Type.String(),
    amount: Type.String({ description: "In the smallest unit." }),
  }),
  extraData: Type.Object({ timestamp: Type.String({ description: "Unix seconds of the block." }) }),
});

export type DepositMessage = Type.Static<typeof DepositMessageSchema>;

export const DepositsAnswerSchema = Type.Object({
  messages: Type.Array(DepositMessageSchema),
  execution: Type.Optional(SignedExecutionSchema),
});

export type DepositsAttestation = Type.Static<typeof DepositsAnswerSchema>;
