import * as Type from "typebox";

import { SignedExecutionSchema } from "./execution.ts";
import { OracleOrderSchema } from "./order.ts";
import { HintsSchema, RequestPeerSignatures } from "./requestParts.ts";

export const ExecuteAndWithdrawBodySchema = Type.Object({
  chainId: Type.String({ description: "The chain of the deposit, by its name in orders." }),
  transactionId: Type.String(),
  onchainId: Type.String({ description: "Which deposit of the transaction." }),
  order: OracleOrderSchema,
  orderSignature: Type.String({ description: "Of the order's solver." }),
  nonce: Type.String({ description: "32 bytes." }),
  hints: Type.Optional(HintsSchema),
  requestPeerSignatures: RequestPeerSignatures,
});

export type ExecuteAndWithdrawBody = Type.Static<typeof ExecuteAndWithdrawBodySchema>;

export const ExecuteAndWithdrawRequestSchema = Type.Object({
  inChainId: Type.String(),
  inCurrency: Type.String({ description: "Encoded, as all addresses here." }),
  outChainId: Type.String(),
  outCurrency: Type.String(),
  outAmountMinimum: Type.String(),
  depository: Type.String(),
  orderAddress: Type.String(),
  receiver: Type.String(),
  data: Type.String(),
  fees: Type.Array(Type.Object({ recipient: Type.String(), amount: Type.String() })),
  nonce: Type.String(),
  deadline: Type.String({ description: "Unix seconds." }),
  signatures: Type.Array(
    Type.Object({
      executorChainId: Type.String({ description: "The hub's EVM chain id, decimal." }),
      executorContract: Type.String(),
      oracleSigner: Type.String(),
      signature: Type.String(),
    }),
    { minItems: 1 },
  ),
});

export type SignedExecuteAndWithdrawRequest = Type.Static<typeof ExecuteAndWithdrawRequestSchema>;

export const ExecuteAndWithdrawAnswerSchema = Type.Object({
  executeAndWithdrawRequest: ExecuteAndWithdrawRequestSchema,
  execution: Type.Optional(SignedExecutionSchema),
});

export type ExecuteAndWithdrawAttestation = Type.Static<typeof ExecuteAndWithdrawAnswerSchema>;
