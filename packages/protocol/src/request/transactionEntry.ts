import { doc } from "#doc";
import type * as Type from "typebox";

import type { Received } from "../schema/readResponse.ts";
import { decimalText, oneOfOrUnknown } from "../schema/schemaParts.ts";
import * as T from "../schema/type.ts";

/** Entry of `inTxs` and `outTxs` (spec 1, section 2.3). */
export const TransactionEntrySchema = T.Object(
  {
    txHash: T.String(),
    fee: decimalText(doc("Total fee in wei.")),
    feeUsd: T.Optional(decimalText(doc("Total fee in USD."))),
    block: T.Integer({ description: doc("Block number.") }),
    type: oneOfOrUnknown(["onchain"], doc("Always onchain in practice.")),
    chainId: T.Integer(),
    timestamp: T.Integer({ description: doc("Unix time in seconds.") }),
    status: oneOfOrUnknown(["success", "failure"], doc("How the transaction ended.")),
    data: T.Optional(T.Unknown()),
    stateChanges: T.Optional(T.Unknown()),
  },
  { description: doc("A transaction of a request.") },
);

/** A transaction of a request. */
export type TransactionEntry = Received<Type.Static<typeof TransactionEntrySchema>>;
