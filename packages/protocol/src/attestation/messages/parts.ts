import { doc } from "#doc";
import type * as Type from "typebox";

import * as T from "../../schema/type.ts";

const TonHint = T.Object({ lt: T.String() });

/** Hints that locate a transaction. Their shape depends on the chain family. */
export const HintsSchema = T.Object({ "ton-vm": T.Optional(TonHint) });

export const FillHintsSchema = T.Object({
  "hyperliquid-vm": T.Optional(T.Object({ user: T.String(), timestamp: T.Integer() })),
  "ton-vm": T.Optional(T.Object({ solverAddress: T.String(), lt: T.Optional(T.String()) })),
}) satisfies Type.TObject;

export const InputHintSchema = T.Object({ inputIndex: T.Number(), "ton-vm": T.Optional(TonHint) });

export const RequestPeerSignatures = T.Optional(
  T.Boolean({ description: doc("Whether to also request signatures from the configured peers.") }),
);

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
  { description: doc("A signed execution for the settlement hub.") },
);

export type SignedExecution = Type.Static<typeof SignedExecutionSchema>;

const text = T.String();

/** Order in the form that oracles accept (spec 5, section 1); hashing checks the fields. */
export const OracleOrderSchema = T.Object({
  version: T.Literal("v1"),
  solverChainId: text,
  solver: text,
  salt: text,
  inputs: T.Array(
    T.Object({
      payment: T.Object({ chainId: text, currency: text, amount: text, weight: text }),
      refunds: T.Array(
        T.Object({
          chainId: text,
          recipient: text,
          currency: text,
          minimumAmount: text,
          deadline: T.Integer(),
          extraData: text,
        }),
      ),
    }),
  ),
  output: T.Object({
    chainId: text,
    payments: T.Array(T.Object({ recipient: text, currency: text, minimumAmount: text, expectedAmount: text })),
    calls: T.Array(text),
    deadline: T.Integer(),
    extraData: text,
  }),
  fees: T.Array(
    T.Object({ recipientChainId: text, recipient: text, currencyChainId: text, currency: text, amount: text }),
  ),
}) satisfies Type.TObject;
