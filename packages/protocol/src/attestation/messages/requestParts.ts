import { doc } from "#doc";
import type * as Type from "typebox";

import * as T from "../../schema/type.ts";

const TonHint = T.Object({ lt: T.String() });

/** Locates a transaction, by family. */
export const HintsSchema = T.Object({ "ton-vm": T.Optional(TonHint) });

export const FillHintsSchema = T.Object({
  "hyperliquid-vm": T.Optional(T.Object({ user: T.String(), timestamp: T.Number() })),
  "ton-vm": T.Optional(T.Object({ solverAddress: T.String(), lt: T.Optional(T.String()) })),
}) satisfies Type.TObject;

export const InputHintSchema = T.Object({ inputIndex: T.Number(), "ton-vm": T.Optional(TonHint) });

export const RequestPeerSignatures = T.Optional(
  T.Boolean({ description: doc("Whether to request signatures of the configured peers too.") }),
);
