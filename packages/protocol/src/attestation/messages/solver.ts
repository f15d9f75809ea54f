import { doc } from "#doc";
import type * as Type from "typebox";

import {
  FillHintsSchema,
  InputHintSchema,
  OracleOrderSchema,
  RequestPeerSignatures,
  SignedExecutionSchema,
} from "./parts.ts";
import * as T from "../../schema/type.ts";

const input = { transactionId: T.String(), onchainId: T.String(), inputIndex: T.Number() };

const common = {
  force: T.Optional(T.Boolean({ description: doc("Skip all checks of the solver. Requires a key.") })),
  hints: T.Optional(FillHintsSchema),
  inputHints: T.Optional(T.Array(InputHintSchema)),
  requestPeerSignatures: RequestPeerSignatures,
};

const fillFields = {
  order: OracleOrderSchema,
  orderSignature: T.String(),
  inputs: T.Array(T.Object(input)),
  fill: T.Object({ transactionId: T.String() }),
};

const refundFields = {
  order: OracleOrderSchema,
  orderSignature: T.String(),
  inputs: T.Array(T.Object({ ...input, chainId: T.Optional(T.String()) })),
  refunds: T.Array(T.Object({ transactionId: T.String(), inputIndex: T.Number(), refundIndex: T.Number() })),
};

const result = T.Object({
  orderId: T.String(),
  status: T.Number(),
  totalWeightedInputPaymentBpsDiff: T.String(),
});

export const FillBodySchema = T.Object({ ...fillFields, ...common });

export type FillBody = Type.Static<typeof FillBodySchema>;

export const FillResponseSchema = T.Object({
  message: T.Object({ data: FillBodySchema, result }),
  execution: T.Optional(SignedExecutionSchema),
});

export const RefundBodySchema = T.Object({ ...refundFields, ...common });

export type RefundBody = Type.Static<typeof RefundBodySchema>;

export const RefundResponseSchema = T.Object({
  message: T.Object({ data: RefundBodySchema, result }),
  execution: T.Optional(SignedExecutionSchema),
});

export type FillAttestation = Type.Static<typeof FillResponseSchema>;

export type RefundAttestation = Type.Static<typeof RefundResponseSchema>;
