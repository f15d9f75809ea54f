import { doc } from "#doc";
import type * as Type from "typebox";
import * as T from "../../schema/type.ts";

export const SignedExecutionSchema = T.Object(
  {
    idempotencyKey: T.String(),
    actions: T.Array(T.String({ description: doc("ABI-encoded.") }), { minItems: 1 }),
    signatures: T.Array(
      T.Object({
        oracleChainId: T.String({ description: doc("The hub's EVM chain id, decimal.") }),
        oracleContract: T.String(),
        oracleSigner: T.String(),
        signature: T.String(),
      }),
      { minItems: 1 },
    ),
    metadata: T.Optional(
      T.Array(
        T.Object({
          hubTokenId: T.String(),
          origin: T.Object({ address: T.String(), chainId: T.String(), family: T.String() }),
          oracleChainId: T.String(),
          oracleContract: T.String(),
        }),
      ),
    ),
  },
  { description: doc("What the settlement hub executes once, signed.") },
);

export type SignedExecution = Type.Static<typeof SignedExecutionSchema>;
