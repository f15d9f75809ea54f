import * as Type from "typebox";

import { PARTNER_ID_KEY } from "./partnerId.ts";
import type { ReadResponse } from "../schema/readResponse.ts";
import {
  AmountV2Schema,
  CurrencyV2Schema,
  ExpandedPriceImpactV2Schema,
  FeeSponsorshipV2Schema,
  maybe,
  RouteV2Schema,
  SubsidizedFeeV2Schema,
  WeiFeesV2Schema,
} from "./feesV2.ts";

const text = (description?: string) => maybe(Type.String(description === undefined ? {} : { description }));

const list = <Schema extends Type.TSchema>(schema: Schema) => maybe(Type.Array(schema));

/** Schema of an entry of `inTxs` and `outTxs` of v2 (spec 1, sections 2.3 and 2.7). */
const TransactionEntryV2Schema = Type.Object(
  {
    hash: text("Named txHash in v3."),
    fee: text("Whole fee in wei."),
    block: maybe(Type.Number()),
    type: text(),
    chainId: maybe(Type.Number()),
    timestamp: maybe(Type.Number({ description: "Unix time in seconds." })),
    status: text("success, failure, or a value that is not known yet."),
    data: Type.Optional(Type.Unknown()),
    stateChanges: Type.Optional(Type.Unknown()),
  },
  { description: "A transaction of a request." },
);

/** Schema of an app fee entry of v2, quoted and paid (spec 1, section 2.7). */
const AppFeeV2Schema = Type.Object({
  recipient: text(),
  bps: text(),
  amount: text("In the smallest unit."),
  amountUsd: text(),
  amountUsdCurrent: text(),
});

/** Schema of `data.metadata` of v2 (spec 1, section 2.7). */
const RequestMetadataV2Schema = Type.Object({
  sender: text(),
  recipient: text(),
  currencyIn: maybe(AmountV2Schema),
  currencyOut: maybe(AmountV2Schema),
  rate: text("Output units for one input unit."),
  route: maybe(RouteV2Schema),
  currencyGasTopup: maybe(AmountV2Schema),
});

/** Schema of `data` of a v2 record (spec 1, sections 2.2 and 2.7). */
const RequestRecordDataV2Schema = Type.Object({
  slippageTolerance: text("In basis points."),
  failReason: text("N/A if there is no reason."),
  refundFailReason: text("N/A if there is no reason."),
  supersededByRequestId: text(),
  failedTxHash: text(),
  failedTxBlockNumber: maybe(Type.Number()),
  failedCallData: maybe(Type.Object({ from: text(), to: text(), data: text(), value: text() })),
  fees: maybe(WeiFeesV2Schema),
  feesUsd: maybe(WeiFeesV2Schema),
  subsidizedRequest: maybe(Type.Boolean()),
  subsidizedFee: maybe(SubsidizedFeeV2Schema),
  feeSponsorship: maybe(FeeSponsorshipV2Schema),
  expandedPriceImpact: maybe(ExpandedPriceImpactV2Schema),
  currency: text(),
  currencyObject: maybe(CurrencyV2Schema),
  feeCurrency: text(),
  feeCurrencyObject: maybe(CurrencyV2Schema),
  appFeeCurrencyObject: maybe(CurrencyV2Schema),
  refundCurrencyData: maybe(AmountV2Schema),
  price: text(),
  appFees: list(AppFeeV2Schema),
  paidAppFees: list(AppFeeV2Schema),
  platformFee: Type.Optional(Type.Unknown()),
  usesExternalLiquidity: maybe(Type.Boolean()),
  timeEstimate: maybe(Type.Number({ description: "Seconds." })),
  triggeredByFastFill: maybe(Type.Boolean()),
  inTxs: list(TransactionEntryV2Schema),
  outTxs: list(TransactionEntryV2Schema),
  metadata: maybe(RequestMetadataV2Schema),
});

/**
 * Schema of a v2 request record (spec 1, section 2.7). Only the id is required, because other fields depend on the age
 * and state of the request. Unknown enumeration values and fields pass.
 */
export const RequestRecordV2Schema = Type.Object(
  {
    id: Type.String({ description: "The requestId." }),
    status: text("delayed is named by the migration notes only."),
    user: text(),
    recipient: text(),
    depositAddress: maybe(
      Type.Object({
        address: text(),
        depositAddressType: text("strict or open; named type in v3."),
        depositor: text(),
        depositTxHash: text(),
      }),
    ),
    referrer: text(),
    [PARTNER_ID_KEY]: text("A payment partner's id; in externalMetadata in v3."),
    data: maybe(RequestRecordDataV2Schema),
    protocol: Type.Optional(Type.Unknown({ description: "As in v3." })),
    createdAt: text("ISO 8601."),
    updatedAt: text("ISO 8601."),
  },
  { description: "A request, as the retired listing gives it." },
);

/** A v2 request record. */
export type RequestRecordV2 = ReadResponse<typeof RequestRecordV2Schema>;
