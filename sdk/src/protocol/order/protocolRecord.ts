import * as Type from "typebox";

import type { Received } from "../schema/readResponse.ts";
import { decimalText, oneOfOrUnknown } from "../schema/schemaParts.ts";

const SettlementTransactionSchema = Type.Object({
  chainId: Type.Integer(),
  transactionId: Type.String({ description: "Hash of the transaction." }),
});

const hubTransferFields = {
  amount: decimalText("In the smallest unit."),
  chainId: Type.Integer(),
  currency: Type.String(),
  hash: Type.String(),
  tokenMetadata: Type.Object({ decimals: Type.Integer(), name: Type.String(), symbol: Type.String() }),
};

const AttestationSchema = Type.Object(
  {
    execution: Type.Object({ actions: Type.Array(Type.String()), idempotencyKey: Type.String() }),
    attestations: Type.Array(
      Type.Object({
        oracleChainId: Type.String(),
        oracleContract: Type.String(),
        signerAddress: Type.String(),
        signature: Type.String(),
      }),
    ),
  },
  { description: "What the oracles signed." },
);

// A deposit and a settlement are reported once they happened.
export const ProtocolRecordSchema = Type.Object(
  {
    orderId: Type.String({ description: "The 32-byte id of the deposit." }),
    hubType: oneOfOrUnknown(["onchain"], "Where balances are kept."),
    isWithdrawable: Type.Boolean(),
    solver: Type.Object({
      address: Type.String(),
      protocolChainId: Type.String({ description: "Chain name in orders, such as base." }),
      chainId: Type.Integer(),
    }),
    deposit: Type.Optional(
      Type.Object({
        origin: Type.Optional(
          Type.Object({
            amount: decimalText("In the smallest unit."),
            chainId: Type.Integer(),
            currency: Type.String(),
            depositor: Type.String(),
            depository: Type.String(),
            onchainId: Type.String({ description: "The id as the deposit event carries it." }),
            transactionId: Type.String({ description: "Hash of the deposit." }),
          }),
        ),
        relay: Type.Optional(
          Type.Object({ ...hubTransferFields, operation: oneOfOrUnknown(["mint"], "What the hub did.") }),
        ),
        attestation: Type.Optional(AttestationSchema),
      }),
    ),
    settlement: Type.Optional(
      Type.Object({
        destination: Type.Optional(
          Type.Object({
            fills: Type.Array(SettlementTransactionSchema),
            refunds: Type.Array(SettlementTransactionSchema),
          }),
        ),
        relay: Type.Optional(
          Type.Object({
            ...hubTransferFields,
            operation: oneOfOrUnknown(["transfer", "burn", "mixed"], "What the hub did."),
            solver: Type.String(),
          }),
        ),
        attestation: Type.Optional(AttestationSchema),
      }),
    ),
  },
  { description: "The request in the settlement protocol." },
);

/** A request in the settlement protocol. */
export type ProtocolRecord = Received<Type.Static<typeof ProtocolRecordSchema>>;
