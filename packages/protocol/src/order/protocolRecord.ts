import { doc } from "#doc";

import { decimalText, oneOfOrUnknown } from "../schema/schemaParts.ts";
import * as T from "../schema/type.ts";

const SettlementTransactionSchema = T.Object({
  chainId: T.Integer(),
  transactionId: T.String({ description: doc("Hash of the transaction.") }),
});

const hubTransferFields = {
  amount: decimalText(doc("In the smallest unit.")),
  chainId: T.Integer(),
  currency: T.String(),
  hash: T.String(),
  tokenMetadata: T.Object({ decimals: T.Integer(), name: T.String(), symbol: T.String() }),
};

const AttestationSchema = T.Object(
  {
    execution: T.Object({ actions: T.Array(T.String()), idempotencyKey: T.String() }),
    attestations: T.Array(
      T.Object({
        oracleChainId: T.String(),
        oracleContract: T.String(),
        signerAddress: T.String(),
        signature: T.String(),
      }),
    ),
  },
  { description: doc("Data that the oracles signed.") },
);

// Events are reported only after they happen.
export const ProtocolRecordSchema = T.Object(
  {
    orderId: T.String({ description: doc("32-byte id of the deposit.") }),
    hubType: oneOfOrUnknown(["onchain"], doc("Location of the balances.")),
    isWithdrawable: T.Boolean(),
    solver: T.Object({
      address: T.String(),
      protocolChainId: T.String({ description: doc("Chain name in orders, such as base.") }),
      chainId: T.Integer(),
    }),
    deposit: T.Optional(
      T.Object({
        origin: T.Optional(
          T.Object({
            amount: decimalText(doc("In the smallest unit.")),
            chainId: T.Integer(),
            currency: T.String(),
            depositor: T.String(),
            depository: T.String(),
            onchainId: T.String({ description: doc("Id in the deposit event.") }),
            transactionId: T.String({ description: doc("Hash of the deposit.") }),
          }),
        ),
        relay: T.Optional(
          T.Object({ ...hubTransferFields, operation: oneOfOrUnknown(["mint"], doc("Operation on the hub.")) }),
        ),
        attestation: T.Optional(AttestationSchema),
      }),
    ),
    settlement: T.Optional(
      T.Object({
        destination: T.Optional(
          T.Object({
            fills: T.Array(SettlementTransactionSchema),
            refunds: T.Array(SettlementTransactionSchema),
          }),
        ),
        relay: T.Optional(
          T.Object({
            ...hubTransferFields,
            operation: oneOfOrUnknown(["transfer", "burn", "mixed"], doc("Operation on the hub.")),
            solver: T.String(),
          }),
        ),
        attestation: T.Optional(AttestationSchema),
      }),
    ),
  },
  { description: doc("Request data in the settlement protocol.") },
);
