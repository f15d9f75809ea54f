import type * as Type from "typebox";

import type { Received } from "../schema/readResponse.ts";
import { decimalText, oneOfOrUnknown } from "../schema/schemaParts.ts";
import * as T from "../schema/type.ts";

/** Entry of `inTxs` and `outTxs` (spec 1, section 2.3). */
export const TransactionEntrySchema = T.Object(
  {
    txHash: T.String(),
    fee: decimalText("Whole fee in wei."),
    feeUsd: T.Optional(decimalText("Whole fee in USD.")),
    block: T.Integer({ description: "Block number." }),
    type: oneOfOrUnknown(["onchain"], "Always onchain in use."),
    chainId: T.Integer(),
    timestamp: T.Integer({ description: "Unix time in seconds." }),
    status: oneOfOrUnknown(["success", "failure"], "How the transaction ended."),
    data: T.Optional(T.Unknown()),
    stateChanges: T.Optional(T.Unknown()),
  },
  { description: "A transaction of a request." },
);

/** A transaction of a request. */
export type TransactionEntry = Received<Type.Static<typeof TransactionEntrySchema>>;
