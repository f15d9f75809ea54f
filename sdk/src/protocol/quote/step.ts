import * as Type from "typebox";

import type { Received } from "../schema/readResponse.ts";
import { amountText, anyFields, hexText, oneOfOrUnknown } from "../schema/schemaParts.ts";

/** Step ids in use (spec 2, section 2.1; spec 4, section 4): transactions, then signatures. */
export const STEP_IDS = ["deposit", "approve", "swap", "send", "authorize", "authorize1", "authorize2"] as const;

/** A step id in use. */
export type StepId = (typeof STEP_IDS)[number];

/** Kinds of step in use. Others may come; an executor refuses what it does not perform. */
export const STEP_KINDS = ["transaction", "signature"] as const;

/** A kind of step in use. */
export type StepKind = (typeof STEP_KINDS)[number];

/** Statuses of a step's item in use (spec 2, section 3; the specification shows the first only). */
export const STEP_ITEM_STATUSES = ["incomplete", "complete"] as const;

/** Schema of `data` of an EVM transaction item (spec 2, section 2.1). */
export const TransactionDataSchema = Type.Object(
  {
    from: Type.String({ description: "EVM address of the sender." }),
    to: Type.String({ description: "EVM address that is called." }),
    data: Type.Optional(hexText("Call data.")),
    value: Type.Optional(amountText("In wei.")),
    chainId: Type.Integer({ description: "Chain that it is sent on." }),
    gas: Type.Optional(amountText("Gas limit.")),
    maxFeePerGas: Type.Optional(amountText("In wei.")),
    maxPriorityFeePerGas: Type.Optional(amountText("In wei.")),
  },
  { description: "A transaction to send." },
);

/** A transaction to send on an EVM chain. */
export type TransactionData = Type.Static<typeof TransactionDataSchema>;

/** Schema of `data` of a signature item (spec 4, section 4). */
export const SignatureDataSchema = Type.Object(
  {
    sign: Type.Object(
      {
        signatureKind: oneOfOrUnknown(["eip191", "eip712"], "How it is signed."),
        message: Type.Optional(Type.Unknown({ description: "What an eip191 signature covers." })),
        domain: Type.Optional(Type.Unknown()),
        types: Type.Optional(Type.Unknown()),
        primaryType: Type.Optional(Type.String()),
        value: Type.Optional(Type.Unknown({ description: "What an eip712 signature covers." })),
      },
      { additionalProperties: true },
    ),
    post: Type.Object({
      endpoint: Type.String({ description: "Path that the signature is posted to." }),
      method: Type.String(),
      body: Type.Optional(Type.Unknown()),
    }),
  },
  { description: "Something to sign, and where to post it." },
);

/** Something to sign, and where to post it. */
export type SignatureData = Type.Static<typeof SignatureDataSchema>;

// The wire has JSON numbers: beyond 2^53 - 1 what is read may be another number than what was written.
function wireNumber(description: string) {
  return Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });
}

/**
 * Schema of `data` of an item whose origin is the exchange chain (spec 2, sections 2.1 and 6). Read it with
 * `parseExchangeTransfer`, which makes amounts of its numbers and checks its memo.
 */
export const TransferDataSchema = Type.Object({
  action: Type.Object({
    type: Type.Literal("transfer"),
    parameters: Type.Object({
      toAccountIndex: wireNumber("Account of the relayer that executes the fill."),
      assetIndex: wireNumber("Asset id."),
      fromRouteType: wireNumber("Route type debited on the sender."),
      toRouteType: wireNumber("Route type credited on the recipient."),
      amount: wireNumber("In the smallest unit."),
      usdcFee: wireNumber("Execution fee in the smallest unit of USDC."),
      memo: Type.String({ description: "The requestId as hex." }),
    }),
  }),
});

/** A transfer on the exchange chain, as the wire has it. */
export type TransferData = Type.Static<typeof TransferDataSchema>;

/** Schema of `check`: where an item's progress is asked for (spec 2, section 2.1). */
export const CheckSchema = Type.Object({
  endpoint: Type.String({ description: "Path and query of the status endpoint." }),
  method: Type.String({ description: "GET" }),
});

/** Where an item's progress is asked for. */
export type Check = Received<Type.Static<typeof CheckSchema>>;

/**
 * Schema of a step's item (spec 2, section 2.1). `data` depends on the kind and the chain family: read it with
 * `parseData` and one of the schemas above.
 */
export const StepItemSchema = Type.Object({
  status: oneOfOrUnknown(STEP_ITEM_STATUSES, "incomplete, until it is performed."),
  data: Type.Optional(anyFields("What to send or sign.")),
  check: Type.Optional(CheckSchema),
});

/** One transaction or signature of a step. */
export type StepItem = Received<Type.Static<typeof StepItemSchema>>;

/** Schema of a step (spec 2, section 2.1). */
export const StepSchema = Type.Object(
  {
    id: oneOfOrUnknown(STEP_IDS, `In use: ${STEP_IDS.join(", ")}.`),
    action: Type.String({ description: "What to do, for people." }),
    description: Type.String({ description: "What it is for, for people." }),
    kind: oneOfOrUnknown(STEP_KINDS, `In use: ${STEP_KINDS.join(", ")}.`),
    requestId: Type.Optional(Type.String({ description: "The request that the step is part of." })),
    depositAddress: Type.Optional(Type.String({ description: "Empty where there is none." })),
    items: Type.Array(StepItemSchema),
  },
  { description: "Something the user's wallet performs." },
);

/** A step for the user's wallet. */
export type Step = Received<Type.Static<typeof StepSchema>>;
