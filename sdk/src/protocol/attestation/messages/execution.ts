import * as Type from "typebox";

export const SignedExecutionSchema = Type.Object(
  {
    idempotencyKey: Type.String(),
    actions: Type.Array(Type.String({ description: "ABI-encoded." }), { minItems: 1 }),
    signatures: Type.Array(
      Type.Object({
        oracleChainId: Type.String({ description: "The hub's EVM chain id, decimal." }),
        oracleContract: Type.String(),
        oracleSigner: Type.String(),
        signature: Type.String(),
      }),
      { minItems: 1 },
    ),
    metadata: Type.Optional(
      Type.Array(
        Type.Object({
          hubTokenId: Type.String(),
          origin: Type.Object({ address: Type.String(), chainId: Type.String(), family: Type.String() }),
          oracleChainId: Type.String(),
          oracleContract: Type.String(),
        }),
      ),
    ),
  },
  { description: "What the settlement hub executes once, signed." },
);

export type SignedExecution = Type.Static<typeof SignedExecutionSchema>;
