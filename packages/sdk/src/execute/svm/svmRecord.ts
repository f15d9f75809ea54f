import type * as Type from "typebox";

import { InvalidStateError } from "@crosscall/protocol/core";
import { doc, parseData, requireJson } from "@crosscall/protocol/schema";
import * as T from "@crosscall/protocol/schema/type";
import type { SvmTransaction } from "../executeStepsParameters.ts";

const PendingSchema = T.Object({
  genesisHash: T.String(),
  signature: T.String(),
  transaction: T.String({ description: doc("Base64.") }),
  slot: T.Integer({ description: doc("Slot before the first one that can include the transaction.") }),
  lastValidBlockHeight: T.Integer(),
});

/** Signed transaction, which can be included until its block hash expires. */
export type Pending = Type.Static<typeof PendingSchema>;

const AskedSchema = T.Object({
  genesisHash: T.String(),
  account: T.String(),
  signature: T.Optional(T.String({ description: doc("Present once the wallet has returned it.") })),
  slot: T.Integer({ description: doc("Slot before the first one that can include the transaction.") }),
  lastValidBlockHeight: T.Integer({
    description: doc("Last valid height of the latest block hash that the wallet is known to have used."),
  }),
  askedAtMs: T.Integer({ description: doc("Time of the wallet prompt.") }),
});

/** Transaction that a wallet was prompted to send, which only the chain shows. */
export type Asked = Type.Static<typeof AskedSchema>;

/** Without `pending` and `asked`, no transaction can be included. */
const RecordSchema = T.Object({
  writer: T.Literal("svmWallet", { description: doc("Other callbacks can record other texts.") }),
  pending: T.Optional(PendingSchema),
  asked: T.Optional(AskedSchema),
});

export function toRecord(transaction: { readonly pending?: Pending; readonly asked?: Asked } = {}): string {
  return JSON.stringify({ writer: "svmWallet", ...transaction });
}

/** Returns the transaction of an earlier run. */
export async function openRecord({ stepId, requestId, mayHaveRun, recorded, record }: SvmTransaction) {
  const what = `the journal's record of step ${stepId}`;
  if (recorded !== undefined) return parseData(RecordSchema, requireJson(recorded, what), what);
  if (mayHaveRun) {
    throw new InvalidStateError({
      message: `step ${stepId} of request ${requestId} may have been performed by another callback`,
      hint: "Check the account's transactions. Execute the quote with the earlier callback, or request a new quote if nothing was paid.",
    });
  }
  await record(toRecord());
  return { pending: undefined, asked: undefined };
}
