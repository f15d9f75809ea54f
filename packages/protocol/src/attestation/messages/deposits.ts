import { doc } from "#doc";
import type * as Type from "typebox";

import * as T from "../../schema/type.ts";
import { HintsSchema, OracleOrderSchema, RequestPeerSignatures, SignedExecutionSchema } from "./parts.ts";

export const DepositsBodySchema = T.Object({
  chainId: T.String({ description: doc("The chain's name in orders.") }),
  transactionId: T.String({ description: doc("Transaction id in the chain's own format.") }),
  mode: T.Optional(T.Union([T.Literal("fast"), T.Literal("slow")])),
  hints: T.Optional(HintsSchema),
  requestPeerSignatures: RequestPeerSignatures,
});

export type DepositsBody = Type.Static<typeof DepositsBodySchema>;

const DepositMessageSchema = T.Object({
  data: T.Object({ chainId: T.String(), transactionId: T.String() }),
  result: T.Object({
    onchainId: T.String(),
    depository: T.String(),
    depositId: T.Optional(T.String()),
    depositor: T.String(),
    currency: T.String(),
    amount: T.String({ description: doc("In the smallest unit.") }),
  }),
  extraData: T.Object({ timestamp: T.String({ description: doc("Time of the block, in Unix seconds.") }) }),
});

export type DepositMessage = Type.Static<typeof DepositMessageSchema>;

export const DepositsResponseSchema = T.Object({
  messages: T.Array(DepositMessageSchema),
  execution: T.Optional(SignedExecutionSchema),
});

export type DepositsAttestation = Type.Static<typeof DepositsResponseSchema>;

/** The owner's signature, or an unsettled order. */
export const authorizationFields = {
  ownerSignature: T.Optional(T.String({ description: doc("Required except in recoverMode.") })),
  recoverMode: T.Optional(
    T.Boolean({ description: doc("Whether an unsettled order (neither filled nor refunded) replaces the signature.") }),
  ),
  depositChainId: T.Optional(T.String({ description: doc("Required in recoverMode, like the next four fields.") })),
  depositTransactionId: T.Optional(T.String()),
  depositOnchainId: T.Optional(T.String()),
  order: T.Optional(OracleOrderSchema),
  orderSignature: T.Optional(T.String({ description: doc("Signed by the order's solver.") })),
};

export type AuthorizationFields = Type.Static<Type.TObject<typeof authorizationFields>>;

export const RecoverBodySchema = T.Object({
  chainId: T.String({ description: doc("The chain of the deposit, by its name in orders.") }),
  transactionId: T.String(),
  onchainId: T.String({ description: doc("Index of the deposit in the transaction.") }),
  order: T.Optional(OracleOrderSchema),
  orderSignature: T.Optional(T.String({ description: doc("Signed by the order's solver.") })),
  hints: T.Optional(HintsSchema),
  requestPeerSignatures: RequestPeerSignatures,
});

export type RecoverBody = Type.Static<typeof RecoverBodySchema>;

export const ExecuteAndWithdrawBodySchema = T.Object({
  chainId: T.String({ description: doc("The chain of the deposit, by its name in orders.") }),
  transactionId: T.String(),
  onchainId: T.String({ description: doc("Index of the deposit in the transaction.") }),
  order: OracleOrderSchema,
  orderSignature: T.String({ description: doc("Signed by the order's solver.") }),
  nonce: T.String({ description: doc("32 bytes.") }),
  hints: T.Optional(HintsSchema),
  requestPeerSignatures: RequestPeerSignatures,
});

export type ExecuteAndWithdrawBody = Type.Static<typeof ExecuteAndWithdrawBodySchema>;

export const ExecuteAndWithdrawRequestSchema = T.Object({
  inChainId: T.String(),
  inCurrency: T.String({ description: doc("Encoded, like all addresses here.") }),
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

export const ExecuteAndWithdrawResponseSchema = T.Object({
  executeAndWithdrawRequest: ExecuteAndWithdrawRequestSchema,
  execution: T.Optional(SignedExecutionSchema),
});

export type ExecuteAndWithdrawAttestation = Type.Static<typeof ExecuteAndWithdrawResponseSchema>;
