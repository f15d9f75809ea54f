import * as Type from "typebox";

import { SignedExecutionSchema } from "./execution.ts";
import { OracleOrderSchema } from "./order.ts";
import { HintsSchema, RequestPeerSignatures } from "./requestParts.ts";

/** Schema of the bodies of `POST /attestations/withdraw-and-fill/v1` and `withdraw-and-refund/v1`. */
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

/** A deposit whose order is to be settled out of a depository. */
export type ExecuteAndWithdrawBody = Type.Static<typeof ExecuteAndWithdrawBodySchema>;

/** Schema of a request to the hub's executor, with the signatures of oracles. */
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

/** A request to the hub's executor, with the signatures of oracles. */
export type SignedExecuteAndWithdrawRequest = Type.Static<typeof ExecuteAndWithdrawRequestSchema>;

/** Schema of the answers of `POST /attestations/withdraw-and-fill/v1` and `withdraw-and-refund/v1`. */
export const ExecuteAndWithdrawAnswerSchema = Type.Object({
  executeAndWithdrawRequest: ExecuteAndWithdrawRequestSchema,
  execution: Type.Optional(SignedExecutionSchema),
});

/** What settles an order out of a depository, attested. */
export type ExecuteAndWithdrawAttestation = Type.Static<typeof ExecuteAndWithdrawAnswerSchema>;
