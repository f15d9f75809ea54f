import * as Type from "typebox";

import type { Received } from "../schema/readResponse.ts";
import { decimalText, oneOfOrUnknown } from "../schema/schemaParts.ts";

/** Entry of `inTxs` and `outTxs` (spec 1, section 2.3). */
export const TransactionEntrySchema = Type.Object(
  {
    txHash: Type.String(),
    fee: decimalText("Whole fee in wei."),
    feeUsd: Type.Optional(decimalText("Whole fee in USD.")),
    block: Type.Integer({ description: "Block number." }),
    type: oneOfOrUnknown(["onchain"], "Always onchain in use."),
    chainId: Type.Integer(),
    timestamp: Type.Integer({ description: "Unix time in seconds." }),
    status: oneOfOrUnknown(["success", "failure"], "How the transaction ended."),
    data: Type.Optional(Type.Unknown()),
    stateChanges: Type.Optional(Type.Unknown()),
  },
  { description: "A transaction of a request." },
);

/** A transaction of a request. */
export type TransactionEntry = Received<Type.Static<typeof TransactionEntrySchema>>;
