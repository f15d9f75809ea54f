import { doc } from "#doc";
import type * as Type from "typebox";

import { SignedExecutionSchema } from "./execution.ts";
import { OracleOrderSchema } from "./order.ts";
import { HintsSchema, RequestPeerSignatures } from "./requestParts.ts";
import * as T from "../../schema/type.ts";

export const ExecuteAndWithdrawBodySchema = T.Object({
  chainId: T.String({ description: doc("The chain of the deposit, by its name in orders.") }),
  transactionId: T.String(),
  onchainId: T.String({ description: doc("Which deposit of the transaction.") }),
  order: OracleOrderSchema,
  orderSignature: T.String({ description: doc("Of the order's solver.") }),
  nonce: T.String({ description: doc("32 bytes.") }),
  hints: T.Optional(HintsSchema),
  requestPeerSignatures: RequestPeerSignatures,
});

export type ExecuteAndWithdrawBody = Type.Static<typeof ExecuteAndWithdrawBodySchema>;

export const ExecuteAndWithdrawRequestSchema = T.Object({
  inChainId: T.String(),
  inCurrency: T.String({ description: doc("Encoded, as all addresses here.") }),
  outChainId: T.String(),
  outCurrency: T.String(),
  outAmountMinimum: T.String(),
  depository: T.String(),
  orderAddress: T.String(),
  receiver: T.String(),
  data: T.String(),
  fees: T.Array(T.Object({ recipient: T.String(), amount: T.String() })),
  nonce: T.String(),
  deadline: T.String({ description: doc("Unix seconds.") }),
  signatures: T.Array(
    T.Object({
      executorChainId: T.String({ description: doc("The hub's EVM chain id, decimal.") }),
      executorContract: T.String(),
      oracleSigner: T.String(),
      signature: T.String(),
    }),
    { minItems: 1 },
  ),
});

export type SignedExecuteAndWithdrawRequest = Type.Static<typeof ExecuteAndWithdrawRequestSchema>;

export const ExecuteAndWithdrawAnswerSchema = T.Object({
  executeAndWithdrawRequest: ExecuteAndWithdrawRequestSchema,
  execution: T.Optional(SignedExecutionSchema),
});

export type ExecuteAndWithdrawAttestation = Type.Static<typeof ExecuteAndWithdrawAnswerSchema>;
