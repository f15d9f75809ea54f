import * as Type from "typebox";

import type { PlannedTransaction } from "../../protocol/quote/planSteps.ts";
import { hexText } from "../../protocol/schema/schemaParts.ts";

export const JournaledTransactionSchema = Type.Object({
  chainId: Type.Integer(),
  from: Type.String(),
  to: Type.String(),
  data: Type.String(),
  value: Type.String(),
  nonce: Type.Integer({ minimum: 0 }),
  fromBlock: Type.String({ pattern: "^[0-9]+$", description: "The chain's latest block when it was written." }),
  txHash: Type.Optional(hexText("Known before it is sent where the wallet signs first.", 32)),
  signed: Type.Optional(hexText("The signed bytes, where the wallet signs first.")),
  askedAtMs: Type.Integer({ description: "When the wallet was asked, or the bytes were signed." }),
  isNonceKnown: Type.Optional(Type.Boolean({ description: "A node showed the transaction with this nonce." })),
  isVoid: Type.Optional(
    Type.Boolean({ description: "It was not sent, or another transaction used its nonce: the step may begin again." }),
  ),
});

/** First written before it is sent. */
export type JournaledTransaction = Type.Static<typeof JournaledTransactionSchema>;

export const JournaledBatchSchema = Type.Object({
  kind: Type.Union([Type.Literal("bundle"), Type.Literal("gasless")]),
  id: Type.String({ description: "The bundle's id, or the nonce of the batch executor." }),
  chainId: Type.Integer(),
  from: Type.String(),
  calls: Type.Array(
    Type.Object({ position: Type.String(), to: Type.String(), data: Type.String(), value: Type.String() }),
  ),
  fromBlock: Type.Optional(Type.String({ pattern: "^[0-9]+$" })),
  askedAtMs: Type.Integer({ description: "When the wallet was asked." }),
  deadline: Type.Optional(
    Type.Integer({ description: "Until when a gasless batch can be executed, in Unix seconds." }),
  ),
  isVoid: Type.Optional(Type.Boolean({ description: "It was not sent, or can no longer be executed." })),
  isAccepted: Type.Optional(Type.Boolean({ description: "The service sends it." })),
  isRefused: Type.Optional(Type.Boolean({ description: "The service refused it. It can be executed all the same." })),
  txHash: Type.Optional(hexText("Of the transaction that made the calls.", 32)),
});

/** Calls that are made at once. First written before they are sent. */
export type JournaledBatch = Type.Static<typeof JournaledBatchSchema>;

export const SignatureEntrySchema = Type.Object({ signature: hexText("What is posted.") });
export const DelegatedEntrySchema = Type.Object({ isDone: Type.Boolean(), result: Type.Optional(Type.String()) });

/** Digests of the steps by position, and of the order. */
export const StepsEntrySchema = Type.Unsafe<Record<string, string>>({
  type: "object",
  additionalProperties: Type.String(),
});

/** The request that an order was paid for. */
export const OrderEntrySchema = Type.Object({ requestId: Type.String() });

export const BlockEntrySchema = Type.Object({
  number: Type.String({ pattern: "^[0-9]+$" }),
  hash: hexText("Of the block with this number.", 32),
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
