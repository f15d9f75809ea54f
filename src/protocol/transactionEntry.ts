import * as Type from "typebox";

import { oneOfOrOther } from "./schemaParts.ts";

/** Schema of an entry of `inTxs` and `outTxs` (spec 1, section 2.3). */
export const TransactionEntrySchema = Type.Object(
  {
    txHash: Type.String(),
    fee: Type.String({ description: "Whole fee in wei." }),
    block: Type.Integer({ description: "Block number." }),
    type: oneOfOrOther(["onchain"], "Always onchain in use."),
    chainId: Type.Integer(),
    timestamp: Type.Integer({ description: "Unix time in seconds." }),
    status: oneOfOrOther(["success", "failure"], "How the transaction ended."),
    data: Type.Optional(Type.Unknown()),
    stateChanges: Type.Optional(Type.Unknown()),
  },
  { description: "A transaction of a request." },
);

/** A transaction of a request. */
export type TransactionEntry = Type.Static<typeof TransactionEntrySchema>;
