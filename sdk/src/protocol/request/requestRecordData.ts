import * as Type from "typebox";

import { AmountSchema } from "../common/currency.ts";
import { FailReasonSchema, RefundFailReasonSchema } from "./failReasons.ts";
import { AppFeesSchema, FeeSponsorshipSchema, FeesSchema } from "../fees/fees.ts";
import { RouteSchema } from "../common/route.ts";
import type { Received } from "../schema/readResponse.ts";
import { anyFields, decimalText, nullable } from "../schema/schemaParts.ts";
import { TransactionEntrySchema } from "./transactionEntry.ts";

/** Spec 1, section 2.2. */
export const FailedCallDataSchema = Type.Object(
  {
    from: Type.String(),
    to: Type.String(),
    data: Type.String({ description: "Call data as hex." }),
    value: decimalText("In wei."),
  },
  { description: "The call that failed." },
);

export type FailedCallData = Received<Type.Static<typeof FailedCallDataSchema>>;

/** Spec 1, section 2.2. Fields for some requests or callers may be null or absent. */
export const RequestRecordDataSchema = Type.Object({
  slippageTolerance: decimalText("In basis points: 50 is 0.5 %."),
  failReason: nullable(FailReasonSchema),
  refundFailReason: nullable(RefundFailReasonSchema),
  failedTxHash: Type.Optional(nullable(Type.String())),
  failedTxBlockNumber: Type.Optional(nullable(Type.Integer())),
  failedCallData: Type.Optional(nullable(FailedCallDataSchema)),
  usesExternalLiquidity: Type.Boolean(),
  timeEstimate: nullable(Type.Number({ description: "Expected seconds to the fill." })),
  triggeredByFastFill: Type.Optional(nullable(Type.Boolean())),
  inTxs: Type.Array(TransactionEntrySchema, { description: "Transactions on the origin chain." }),
  outTxs: Type.Array(TransactionEntrySchema, { description: "Transactions on the destination chain." }),
  appFees: AppFeesSchema,
  fees: nullable(FeesSchema),
  feeSponsorship: nullable(FeeSponsorshipSchema),
  route: nullable(RouteSchema),
  platformFee: Type.Optional(Type.Unknown()),
  quoteOraclePrice: Type.Optional(
    nullable(
      Type.Object(
        {
          rate: decimalText(),
          observedAt: Type.String({ description: "ISO 8601." }),
          inputCurrency: AmountSchema,
          outputCurrency: AmountSchema,
        },
        { description: "For oracle integrators with fixed bps only." },
      ),
    ),
  ),
  referrer: Type.Optional(nullable(Type.String({ description: "With includeAuthenticatedData=true only." }))),
  refundCurrencyData: Type.Optional(nullable(AmountSchema)),
  apiKeyName: Type.Optional(nullable(Type.String({ description: "With includeAuthenticatedData=true only." }))),
  externalMetadata: Type.Optional(nullable(anyFields("What partners add."))),
});
