import { doc } from "#doc";
import type * as Type from "typebox";

import { AmountSchema } from "../common/currency.ts";
import { FailReasonSchema, RefundFailReasonSchema } from "./failReasons.ts";
import { AppFeesSchema, FeeSponsorshipSchema, FeesSchema } from "../fees/fees.ts";
import { RouteSchema } from "./recordRoute.ts";
import type { Received } from "../schema/readResponse.ts";
import { anyFields, decimalText, nullable } from "../schema/schemaParts.ts";
import { TransactionEntrySchema } from "./transactionEntry.ts";
import * as T from "../schema/type.ts";

/** Schema of the data of a failed call (spec 1, section 2.2). */
export const FailedCallDataSchema = T.Object(
  {
    from: T.String(),
    to: T.String(),
    data: T.String({ description: doc("Call data as hex.") }),
    value: decimalText(doc("In wei.")),
  },
  { description: doc("The call that failed.") },
);

export type FailedCallData = Received<Type.Static<typeof FailedCallDataSchema>>;

/**
 * Schema of `data` in a request record (spec 1, section 2.2). Some fields can be null or absent, depending on the
 * request and the caller.
 */
export const RequestRecordDataSchema = T.Object({
  slippageTolerance: decimalText(doc("Slippage in basis points: 50 is 0.5%.")),
  failReason: nullable(FailReasonSchema),
  refundFailReason: nullable(RefundFailReasonSchema),
  failedTxHash: T.Optional(nullable(T.String())),
  failedTxBlockNumber: T.Optional(nullable(T.Integer())),
  failedCallData: T.Optional(nullable(FailedCallDataSchema)),
  usesExternalLiquidity: T.Boolean(),
  timeEstimate: nullable(T.Number({ description: doc("Expected seconds until the fill.") })),
  triggeredByFastFill: T.Optional(nullable(T.Boolean())),
  inTxs: T.Array(TransactionEntrySchema, { description: doc("Transactions on the origin chain.") }),
  outTxs: T.Array(TransactionEntrySchema, { description: doc("Transactions on the destination chain.") }),
  appFees: AppFeesSchema,
  fees: nullable(FeesSchema),
  feeSponsorship: nullable(FeeSponsorshipSchema),
  route: nullable(RouteSchema),
  platformFee: T.Optional(T.Unknown()),
  quoteOraclePrice: T.Optional(
    nullable(
      T.Object(
        {
          rate: decimalText(),
          observedAt: T.String({ description: doc("ISO 8601.") }),
          inputCurrency: AmountSchema,
          outputCurrency: AmountSchema,
        },
        { description: doc("Only for oracle integrators with fixed bps.") },
      ),
    ),
  ),
  referrer: T.Optional(nullable(T.String({ description: doc("Only with includeAuthenticatedData=true.") }))),
  refundCurrencyData: T.Optional(nullable(AmountSchema)),
  apiKeyName: T.Optional(nullable(T.String({ description: doc("Only with includeAuthenticatedData=true.") }))),
  externalMetadata: T.Optional(nullable(anyFields(doc("Data from partners.")))),
});
