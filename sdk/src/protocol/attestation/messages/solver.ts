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

/** Schema of the body of `POST /attestations/solver-fills/v1`. */
export const FillBodySchema = Type.Object({ ...fillFields, ...common });

/** What to attest the fill of. */
export type FillBody = Type.Static<typeof FillBodySchema>;

/** Schema of the answer of `POST /attestations/solver-fills/v1`. */
export const FillAnswerSchema = Type.Object({
  message: Type.Object({ data: Type.Object(fillFields), result }),
  execution: Type.Optional(SignedExecutionSchema),
});

/** Schema of the body of `POST /attestations/solver-refunds/v1`. */
export const RefundBodySchema = Type.Object({ ...refundFields, ...common });

/** What to attest the refunds of. */
export type RefundBody = Type.Static<typeof RefundBodySchema>;

/** Schema of the answer of `POST /attestations/solver-refunds/v1`. */
export const RefundAnswerSchema = Type.Object({
  message: Type.Object({ data: Type.Object(refundFields), result }),
  execution: Type.Optional(SignedExecutionSchema),
});

/** A fill, attested. */
export type FillAttestation = Type.Static<typeof FillAnswerSchema>;

/** The refunds of an order, attested. */
export type RefundAttestation = Type.Static<typeof RefundAnswerSchema>;
