import { doc, hexText } from "@crosscall/protocol/schema";
import type * as Type from "typebox";

import type { PlannedTransaction } from "@crosscall/protocol/quote/rules";
import * as T from "@crosscall/protocol/schema/type";

export const JournaledTransactionSchema = T.Object({
  chainId: T.Integer(),
  from: T.String(),
  to: T.String(),
  data: T.String(),
  value: T.String(),
  nonce: T.Integer({ minimum: 0 }),
  fromBlock: T.String({ pattern: "^[0-9]+$", description: doc("The chain's latest block when it was written.") }),
  txHash: T.Optional(hexText(doc("Known before it is sent where the wallet signs first."), 32)),
  signed: T.Optional(hexText(doc("The signed bytes, where the wallet signs first."))),
  askedAtMs: T.Integer({ description: doc("When the wallet was asked, or the bytes were signed.") }),
  isNonceKnown: T.Optional(T.Boolean({ description: doc("A node showed the transaction with this nonce.") })),
  isVoid: T.Optional(
    T.Boolean({
      description: doc("It was not sent, or another transaction used its nonce: the step may begin again."),
    }),
  ),
});

/** First written before it is sent. */
export type JournaledTransaction = Type.Static<typeof JournaledTransactionSchema>;

export const JournaledBatchSchema = T.Object({
  kind: T.Union([T.Literal("bundle"), T.Literal("gasless")]),
  id: T.String({ description: doc("The bundle's id, or the nonce of the batch executor.") }),
  chainId: T.Integer(),
  from: T.String(),
  calls: T.Array(T.Object({ position: T.String(), to: T.String(), data: T.String(), value: T.String() })),
  fromBlock: T.Optional(T.String({ pattern: "^[0-9]+$" })),
  askedAtMs: T.Integer({ description: doc("When the wallet was asked.") }),
  deadline: T.Optional(T.Integer({ description: doc("Until when a gasless batch can be executed, in Unix seconds.") })),
  isVoid: T.Optional(T.Boolean({ description: doc("It was not sent, or can no longer be executed.") })),
  isAccepted: T.Optional(T.Boolean({ description: doc("The service sends it.") })),
  isRefused: T.Optional(T.Boolean({ description: doc("The service refused it. It can be executed all the same.") })),
  txHash: T.Optional(hexText(doc("Of the transaction that made the calls."), 32)),
});

/** Calls that are made at once. First written before they are sent. */
export type JournaledBatch = Type.Static<typeof JournaledBatchSchema>;

export const SignatureEntrySchema = T.Object({ signature: hexText(doc("What is posted.")) });
export const DelegatedEntrySchema = T.Object({ isDone: T.Boolean(), result: T.Optional(T.String()) });

/** Digests of the steps by position, and of the order. */
export const StepsEntrySchema = T.Unsafe<Record<string, string>>({
  type: "object",
  additionalProperties: T.String(),
});

/** The request that an order was paid for. */
export const OrderEntrySchema = T.Object({ requestId: T.String() });

export const BlockEntrySchema = T.Object({
  number: T.String({ pattern: "^[0-9]+$" }),
  hash: hexText(doc("Of the block with this number."), 32),
});

/** A block of the destination chain. */
export type BlockEntry = Type.Static<typeof BlockEntrySchema>;

/** Records that an action was passed to a callback, then its result. */
export type DelegatedEntry = Type.Static<typeof DelegatedEntrySchema>;

/** Calls of one account on one chain. */
export type BatchCalls = readonly [PlannedTransaction, ...PlannedTransaction[]];

export function journaledCalls(calls: BatchCalls): Pick<JournaledBatch, "chainId" | "from" | "calls"> {
  const [{ chainId, from }] = calls;
  return {
    chainId,
    from,
    calls: calls.map(({ position, to, data, value }) => ({ position, to, data, value: value.toString() })),
  };
}
