import { doc } from "#doc";
import type * as Type from "typebox";

import type { ReadResponse } from "../schema/readResponse.ts";
import {
  AmountV2Schema,
  CurrencyV2Schema,
  FeeSponsorshipV2Schema,
  maybe,
  maybeText,
  PaymentV2Schema,
  phases,
} from "./feesV2.ts";
import * as T from "../schema/type.ts";

/** Key of the payment partner's id: at the root of v2 records, and in `data.externalMetadata` of v3 records. */
export const PARTNER_ID_KEY = "moonpayId";

const text = (description?: string) => maybe(T.String(description === undefined ? {} : { description }));

const list = <Schema extends Type.TSchema>(schema: Schema) => maybe(T.Array(schema));

const RouteSideV2Schema = T.Object({
  inputCurrency: maybe(AmountV2Schema),
  outputCurrency: maybe(AmountV2Schema),
  router: maybe(T.String()),
  // v3 has the sources of both sides in the route.
  includedSwapSources: maybe(T.Array(T.String())),
});

/** Schema of `data.metadata.route` of v2 (spec 1, section 2.7). */
const RouteV2Schema = T.Object({
  origin: maybe(RouteSideV2Schema),
  destination: maybe(RouteSideV2Schema),
});

/** Schema of `data.fees` (wei) and `data.feesUsd` of v2 (spec 1, section 2.7), which has no place in v3. */
const WeiFeesV2Schema = T.Object({ gas: maybeText, fixed: maybeText, price: maybeText, gateway: maybeText });

const ImpactV2Schema = maybe(T.Object({ usd: maybeText }));

/** Schema of `data.expandedPriceImpact` of v2 (spec 1, section 2.7). */
const ExpandedPriceImpactV2Schema = T.Object(
  phases(
    T.Object({
      swap: ImpactV2Schema,
      execution: ImpactV2Schema,
      relay: ImpactV2Schema,
      app: ImpactV2Schema,
      sponsored: ImpactV2Schema,
    }),
  ),
);

/** Schema of `data.subsidizedFee` of v2 (spec 1, section 2.7). */
const SubsidizedFeeV2Schema = T.Object({
  origin: PaymentV2Schema,
  sponsor: PaymentV2Schema,
  amountUsd: maybeText,
  amountUsdCurrent: maybeText,
});

/** Schema of an entry of `inTxs` and `outTxs` of v2 (spec 1, sections 2.3 and 2.7). */
const TransactionEntryV2Schema = T.Object(
  {
    hash: text(doc("Named txHash in v3.")),
    fee: text(doc("Total fee in wei.")),
    block: maybe(T.Integer()),
    type: text(),
    chainId: maybe(T.Integer()),
    timestamp: maybe(T.Integer({ description: doc("Unix time in seconds.") })),
    status: text(doc("success, failure, or an unknown value.")),
    data: T.Optional(T.Unknown()),
    stateChanges: T.Optional(T.Unknown()),
  },
  { description: doc("A transaction of a request.") },
);

/** Schema of an app fee entry of v2, quoted and paid (spec 1, section 2.7). */
const AppFeeV2Schema = T.Object({
  recipient: text(),
  bps: text(),
  amount: text(doc("In the smallest unit.")),
  amountUsd: text(),
  amountUsdCurrent: text(),
});

const OracleCurrencyV2Schema = maybe(
  T.Object({ chainId: maybe(T.Integer()), address: text(), currencyId: text(), decimals: maybe(T.Number()) }),
);

/** Schema of `data.metadata.quoteOraclePrice` of v2, from the live service's schema. */
const OraclePriceV2Schema = maybe(
  T.Object({
    rate: text(),
    inputAmount: text(doc("In the smallest unit.")),
    outputAmount: text(doc("In the smallest unit.")),
    observedAt: text(doc("ISO 8601.")),
    from: OracleCurrencyV2Schema,
    to: OracleCurrencyV2Schema,
  }),
);

/** Schema of `data.metadata` of v2 (spec 1, section 2.7). */
const RequestMetadataV2Schema = T.Object({
  sender: text(),
  recipient: text(),
  currencyIn: maybe(AmountV2Schema),
  currencyOut: maybe(AmountV2Schema),
  rate: text(doc("Output units per input unit.")),
  route: maybe(RouteV2Schema),
  currencyGasTopup: maybe(AmountV2Schema),
  quoteOraclePrice: OraclePriceV2Schema,
});

/** Schema of `data` of a v2 record (spec 1, sections 2.2 and 2.7). */
const RequestRecordDataV2Schema = T.Object({
  slippageTolerance: text(doc("In basis points.")),
  failReason: text(doc("N/A if there is no reason.")),
  refundFailReason: text(doc("N/A if there is no reason.")),
  supersededByRequestId: text(),
  failedTxHash: text(),
  failedTxBlockNumber: maybe(T.Integer()),
  failedCallData: maybe(T.Object({ from: text(), to: text(), data: text(), value: text() })),
  fees: maybe(WeiFeesV2Schema),
  feesUsd: maybe(WeiFeesV2Schema),
  subsidizedRequest: maybe(T.Boolean()),
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
  platformFee: T.Optional(T.Unknown()),
  usesExternalLiquidity: maybe(T.Boolean()),
  timeEstimate: maybe(T.Number({ description: doc("Seconds.") })),
  triggeredByFastFill: maybe(T.Boolean()),
  inTxs: list(TransactionEntryV2Schema),
  outTxs: list(TransactionEntryV2Schema),
  metadata: maybe(RequestMetadataV2Schema),
});

/**
 * Schema of a v2 request record (spec 1, section 2.7). Only the id is required, because other fields depend on the age
 * and state of the request. Accepts unknown enumeration values and fields.
 */
export const RequestRecordV2Schema = T.Object(
  {
    id: T.String({ description: doc("The requestId.") }),
    status: text(doc("Mentioned only in the migration notes.")),
    user: text(),
    recipient: text(),
    depositAddress: maybe(
      T.Object({
        address: text(),
        depositAddressType: text(doc("strict or open; named type in v3.")),
        depositor: text(),
        depositTxHash: text(),
      }),
    ),
    referrer: text(),
    [PARTNER_ID_KEY]: text(doc("A payment partner's id; v3 has it in externalMetadata.")),
    data: maybe(RequestRecordDataV2Schema),
    protocol: T.Optional(T.Unknown({ description: doc("As in v3.") })),
    createdAt: text(doc("ISO 8601.")),
    updatedAt: text(doc("ISO 8601.")),
  },
  { description: doc("A request in the retired listing.") },
);

/** A v2 request record. */
export type RequestRecordV2 = ReadResponse<typeof RequestRecordV2Schema>;
