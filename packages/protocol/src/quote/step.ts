import { doc } from "#doc";
import type * as Type from "typebox";

import type { Received } from "../schema/readResponse.ts";
import { amountText, anyFields, hexText, oneOfOrUnknown } from "../schema/schemaParts.ts";
import * as T from "../schema/type.ts";

/** Kinds of steps: transactions, then signatures (spec 2, section 2.1; spec 4, section 4). */
export const STEP_IDS = ["deposit", "approve", "swap", "send", "authorize", "authorize1", "authorize2"] as const;

export type StepId = (typeof STEP_IDS)[number];

/** Documented kinds of steps. Executors reject other kinds. */
export const STEP_KINDS = ["transaction", "signature"] as const;

export type StepKind = (typeof STEP_KINDS)[number];

/** Statuses of a step's item. The specification shows only the first (spec 2, section 3). */
export const STEP_ITEM_STATUSES = ["incomplete", "complete"] as const;

/** Schema of a transaction to send (spec 2, section 2.1). */
export const TransactionDataSchema = T.Object(
  {
    from: T.String({ description: doc("EVM address of the sender.") }),
    to: T.String({ description: doc("EVM address to call.") }),
    data: T.Optional(hexText(doc("Call data."))),
    value: T.Optional(amountText(doc("In wei."))),
    chainId: T.Integer({ description: doc("Chain of the transaction.") }),
    gas: T.Optional(amountText(doc("Gas limit."))),
    maxFeePerGas: T.Optional(amountText(doc("In wei."))),
    maxPriorityFeePerGas: T.Optional(amountText(doc("In wei."))),
  },
  { description: doc("A transaction to send.") },
);

export type TransactionData = Type.Static<typeof TransactionDataSchema>;

/** Schema of a message to sign (spec 4, section 4). */
export const SignatureDataSchema = T.Object(
  {
    sign: T.Object(
      {
        signatureKind: oneOfOrUnknown(["eip191", "eip712"], doc("How it is signed.")),
        message: T.Optional(T.Unknown({ description: doc("Message of an eip191 signature.") })),
        domain: T.Optional(T.Unknown()),
        types: T.Optional(T.Unknown()),
        primaryType: T.Optional(T.String()),
        value: T.Optional(T.Unknown({ description: doc("Typed data of an eip712 signature.") })),
      },
      { additionalProperties: true },
    ),
    post: T.Object({
      endpoint: T.String({ description: doc("Path to post the signature to.") }),
      method: T.String(),
      body: T.Optional(T.Unknown()),
    }),
  },
  { description: doc("A message to sign, and the endpoint for its signature.") },
);

export type SignatureData = Type.Static<typeof SignatureDataSchema>;

// Numbers in JSON are exact only up to 2^53 - 1.
function wireNumber(description: string) {
  return T.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });
}

/**
 * Transfer on the exchange chain (spec 2, sections 2.1 and 6). Parse it with `parseExchangeTransfer`, which converts
 * amounts and checks the memo.
 */
export const TransferDataSchema = T.Object({
  action: T.Object({
    type: T.Literal("transfer"),
    parameters: T.Object({
      toAccountIndex: wireNumber("Account of the relayer that executes the fill."),
      assetIndex: wireNumber("Asset id."),
      fromRouteType: wireNumber("Route type debited on the sender."),
      toRouteType: wireNumber("Route type credited on the recipient."),
      amount: wireNumber("In the smallest unit."),
      usdcFee: wireNumber("Execution fee in the smallest unit of USDC."),
      memo: T.String({ description: doc("The orderId or the requestId as hex.") }),
    }),
  }),
});

export type TransferData = Type.Static<typeof TransferDataSchema>;

/** Endpoint to poll for an item's progress (spec 2, section 2.1). */
const CheckSchema = T.Object({
  endpoint: T.String({ description: doc("Path and query of the status endpoint.") }),
  method: T.String({ description: doc("GET") }),
});

/**
 * Schema of a step's item (spec 2, section 2.1). `data` depends on the kind and the chain family: parse it with
 * `parseData` and one of the schemas above.
 */
export const StepItemSchema = T.Object({
  status: oneOfOrUnknown(STEP_ITEM_STATUSES, doc("incomplete until performed.")),
  data: T.Optional(anyFields(doc("Data to send or sign."))),
  check: T.Optional(CheckSchema),
});

/** One transaction or signature of a step. */
export type StepItem = Received<Type.Static<typeof StepItemSchema>>;

/** Schema of a step (spec 2, section 2.1). */
export const StepSchema = T.Object(
  {
    id: oneOfOrUnknown(STEP_IDS, doc(`In use: ${STEP_IDS.join(", ")}.`)),
    action: T.String({ description: doc("Human-readable instruction.") }),
    description: T.String({ description: doc("Human-readable description.") }),
    kind: oneOfOrUnknown(STEP_KINDS, doc(`In use: ${STEP_KINDS.join(", ")}.`)),
    requestId: T.Optional(T.String({ description: doc("Id of the step's request.") })),
    depositAddress: T.Optional(T.String({ description: doc("Empty if there is no deposit address.") })),
    items: T.Array(StepItemSchema),
  },
  { description: doc("An action that the user's wallet performs.") },
);

/** An action that the user's wallet performs. */
export type Step = Received<Type.Static<typeof StepSchema>>;
