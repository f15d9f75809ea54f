import * as Type from "typebox";

const SettlementTransactionSchema = Type.Object({
  chainId: Type.Integer(),
  transactionId: Type.String({ description: "Hash of the transaction." }),
});

// A deposit and a settlement are reported once they happened.
/** Schema of `protocol` of a v3 record (spec 1, section 2.5). */
export const ProtocolRecordSchema = Type.Object(
  {
    orderId: Type.String({ description: "The 32-byte id of the deposit." }),
    hubType: Type.String(),
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
            amount: Type.String({ description: "In the smallest unit." }),
            chainId: Type.Integer(),
            currency: Type.String(),
            depositor: Type.String(),
            depository: Type.String(),
            onchainId: Type.String({ description: "The id as the deposit event carries it." }),
            transactionId: Type.String({ description: "Hash of the deposit." }),
          }),
        ),
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
      }),
    ),
  },
  { description: "The request in the settlement protocol." },
);

/** A request as the settlement protocol sees it. */
export type ProtocolRecord = Type.Static<typeof ProtocolRecordSchema>;
