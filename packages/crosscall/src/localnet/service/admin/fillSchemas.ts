import * as Type from "typebox";

import { amountText, anyFields } from "@crosscall/protocol/schema";
import { RequestStatusSchema } from "@crosscall/protocol/request";
import { DEPOSIT_CHANGES } from "./depositChanges.ts";

export const FillHoldSchema = Type.Object({
  id: Type.Integer(),
  filter: anyFields("The fields that a request must have; an empty object holds all fills."),
  createdAt: Type.String({ description: "ISO 8601." }),
});

export const HeldFillSchema = Type.Object({
  requestId: Type.String(),
  status: RequestStatusSchema,
  user: Type.String(),
  recipient: Type.String(),
  originChainId: Type.Integer(),
  destinationChainId: Type.Integer(),
  destinationCurrency: Type.String({ description: "Address of the delivered currency." }),
  destinationSymbol: Type.String(),
  tradeType: Type.String(),
  expectedAmount: Type.String({ description: "Quoted output in the smallest unit." }),
  minimumAmount: Type.String({ description: "Minimum output in the smallest unit." }),
  heldAt: Type.String({ description: "ISO 8601, by the service's clock." }),
});

/** A fill that waits for its release. */
export type HeldFill = Type.Static<typeof HeldFillSchema>;

export const HeldFillsSchema = Type.Object({
  holds: Type.Array(FillHoldSchema, { description: "In the order in which they were set." }),
  held: Type.Array(HeldFillSchema, { description: "The oldest first." }),
  total: Type.Integer({ description: "Number of held fills, also of those beyond `limit`." }),
});

/** The holds of a network, and the fills that they hold. */
export type HeldFills = Omit<Type.Static<typeof HeldFillsSchema>, "holds"> & { readonly holds: FillHold[] };

/** Fills with these properties are held. */
export interface FillHold extends Omit<Type.Static<typeof FillHoldSchema>, "filter"> {
  readonly filter: Readonly<Record<string, unknown>>;
}

export const ReleasedFillsSchema = Type.Object({
  released: Type.Array(Type.String(), { description: "Ids of the released requests." }),
});

export const HoldBodySchema = Type.Object(
  { filter: Type.Optional(anyFields("Fields as in a group of `filters` of GET /requests/v3; all fills by default.")) },
  { additionalProperties: false },
);

export const ReleaseBodySchema = Type.Object(
  {
    requestId: Type.Optional(Type.String({ description: "Releases this request." })),
    oldest: Type.Optional(Type.Literal(true, { description: "Releases the request that was held first." })),
    all: Type.Optional(Type.Literal(true, { description: "Ends every hold and releases all requests." })),
    amount: Type.Optional(amountText("Delivered amount in the smallest unit; not for EXACT_OUTPUT.")),
    belowMinimum: Type.Optional(Type.Boolean({ description: "Allows an `amount` below the quoted minimum." })),
    scenario: Type.Optional(Type.String({ description: "Name from `crosscall scenarios`." })),
    parameters: Type.Optional(anyFields("Parameters of `scenario`.")),
    deposit: Type.Optional(
      Type.Union(
        DEPOSIT_CHANGES.map((change) => Type.Literal(change)),
        { description: "`drop` removes the deposit's block; `reorg` includes its transactions again in later blocks." },
      ),
    ),
  },
  { additionalProperties: false, description: "Exactly one of `requestId`, `oldest` and `all`." },
);
