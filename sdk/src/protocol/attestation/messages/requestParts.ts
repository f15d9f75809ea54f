import * as Type from "typebox";

const TonHint = Type.Object({ lt: Type.String() });

/** What helps a family to find a transaction. */
export const HintsSchema = Type.Object({ "ton-vm": Type.Optional(TonHint) });

/** What helps the families to find the payment of a solver. */
export const FillHintsSchema = Type.Object({
  "hyperliquid-vm": Type.Optional(Type.Object({ user: Type.String(), timestamp: Type.Number() })),
  "ton-vm": Type.Optional(Type.Object({ solverAddress: Type.String(), lt: Type.Optional(Type.String()) })),
});

/** What helps a family to find the deposit of one input. */
export const InputHintSchema = Type.Object({
  inputIndex: Type.Number(),
  "ton-vm": Type.Optional(TonHint),
});

/** Asks peers for their signatures too. */
export const RequestPeerSignatures = Type.Optional(
  Type.Boolean({ description: "Whether the configured peers are asked for their signatures too." }),
);
