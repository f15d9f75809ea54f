import * as Type from "typebox";

const TonHint = Type.Object({ lt: Type.String() });

/** Locates a transaction, by family. */
export const HintsSchema = Type.Object({ "ton-vm": Type.Optional(TonHint) });

export const FillHintsSchema = Type.Object({
  "hyperliquid-vm": Type.Optional(Type.Object({ user: Type.String(), timestamp: Type.Number() })),
  "ton-vm": Type.Optional(Type.Object({ solverAddress: Type.String(), lt: Type.Optional(Type.String()) })),
});

export const InputHintSchema = Type.Object({ inputIndex: Type.Number(), "ton-vm": Type.Optional(TonHint) });

export const RequestPeerSignatures = Type.Optional(
  Type.Boolean({ description: "Whether to request signatures of the configured peers too." }),
);
