import * as Type from "typebox";

import { SignedExecutionSchema } from "./execution.ts";
import { OracleOrderSchema } from "./order.ts";
import { FillHintsSchema, InputHintSchema, RequestPeerSignatures } from "./requestParts.ts";

const input = { transactionId: Type.String(), onchainId: Type.String(), inputIndex: Type.Number() };

const common = {
  force: Type.Optional(Type.Boolean({ description: "Skips all checks of the solver; only for holders of a key." })),
  hints: Type.Optional(FillHintsSchema),
  inputHints: Type.Optional(Type.Array(InputHintSchema)),
  requestPeerSignatures: RequestPeerSignatures,
};

const fillFields = {
  order: OracleOrderSchema,
  orderSignature: Type.String(),
  inputs: Type.Array(Type.Object(input)),
  fill: Type.Object({ transactionId: Type.String() }),
};

const refundFields = {
  order: OracleOrderSchema,
  orderSignature: Type.String(),
  inputs: Type.Array(Type.Object({ ...input, chainId: Type.Optional(Type.String()) })),
  refunds: Type.Array(
    Type.Object({ transactionId: Type.String(), inputIndex: Type.Number(), refundIndex: Type.Number() }),
  ),
};

const result = Type.Object({
  orderId: Type.String(),
  status: Type.Number(),
  totalWeightedInputPaymentBpsDiff: Type.String(),
});

export const FillBodySchema = Type.Object({ ...fillFields, ...common });

export type FillBody = Type.Static<typeof FillBodySchema>;

export const FillAnswerSchema = Type.Object({
  message: Type.Object({ data: FillBodySchema, result }),
  execution: Type.Optional(SignedExecutionSchema),
});

export const RefundBodySchema = Type.Object({ ...refundFields, ...common });

export type RefundBody = Type.Static<typeof RefundBodySchema>;

export const RefundAnswerSchema = Type.Object({
  message: Type.Object({ data: RefundBodySchema, result }),
  execution: Type.Optional(SignedExecutionSchema),
});

export type FillAttestation = Type.Static<typeof FillAnswerSchema>;

export type RefundAttestation = Type.Static<typeof RefundAnswerSchema>;
