import { doc } from "#doc";
import type * as Type from "typebox";

import { AmountSchema } from "../common/currency.ts";
import { OrderSchema } from "../order/order.ts";
import { QuoteRouteSchema } from "../common/route.ts";
import type { ReadResponse, Received } from "../schema/readResponse.ts";
import { FeeSponsorshipV2Schema } from "../v2/feesV2.ts";
import { amountText, decimalText, nullable, oneOfOrUnknown } from "../schema/schemaParts.ts";
import { StepSchema } from "./step.ts";
import * as T from "../schema/type.ts";

const usd = decimalText(doc("In USD."));
const percent = decimalText(doc("In percent."));

const ImpactSchema = T.Object({ usd, percent });
const ImpactComponentSchema = T.Object({ usd });
const SlippageSchema = T.Object({ usd, value: decimalText(doc("In the smallest unit.")), percent });

/** Schema of a quote's deprecated fees. `details.expandedPriceImpact` has the total cost (spec 2, section 2.1). */
export const QuoteFeesSchema = T.Object(
  {
    gas: AmountSchema,
    relayer: AmountSchema,
    relayerGas: AmountSchema,
    relayerService: AmountSchema,
    app: AmountSchema,
    subsidized: T.Optional(AmountSchema),
  },
  { deprecated: true, description: doc("relayer is the sum of relayerGas and relayerService.") },
);

/** The deprecated fees of a quote. */
export type QuoteFees = Received<Type.Static<typeof QuoteFeesSchema>>;

/** Schema of the cost of a quote by component (spec 2, section 2.1). */
const ExpandedPriceImpactSchema = T.Object(
  {
    swap: ImpactComponentSchema,
    execution: ImpactComponentSchema,
    relay: ImpactComponentSchema,
    app: ImpactComponentSchema,
    sponsored: T.Optional(ImpactComponentSchema),
  },
  { description: doc("Cost by component; relay is the platform fee.") },
);

const PriceDetailsSchema = T.Object({
  // The first two names are from the specification. The live service uses the others for same-chain requests.
  operation: oneOfOrUnknown(["bridge", "swap", "send", "wrap", "unwrap"], doc("Type of the conversion.")),
  sender: T.String(),
  recipient: T.String(),
  currencyIn: AmountSchema,
  currencyOut: AmountSchema,
  totalImpact: ImpactSchema,
  swapImpact: ImpactSchema,
  rate: decimalText(doc("Output units per input unit.")),
  slippageTolerance: T.Object({
    total: T.Optional(decimalText(doc("In basis points."))),
    origin: T.Optional(SlippageSchema),
    destination: T.Optional(SlippageSchema),
  }),
  timeEstimate: T.Number({ description: doc("Expected seconds until the fill.") }),
  userBalance: T.Optional(decimalText(doc("Balance of the origin currency, in the smallest unit."))),
});

/** Schema of the response of `POST /price`: a quote without steps, order and request. */
export const PriceSchema = T.Object(
  { fees: QuoteFeesSchema, details: PriceDetailsSchema },
  { description: doc("A price.") },
);

/** A price without steps, as the service sends it. */
export type Price = ReadResponse<typeof PriceSchema>;

/** Schema of a quote's `details` (spec 2, section 2.1). */
export const QuoteDetailsSchema = T.Object({
  ...PriceDetailsSchema.properties,
  refundCurrency: T.Optional(AmountSchema),
  currencyGasTopup: T.Optional(AmountSchema),
  expandedPriceImpact: ExpandedPriceImpactSchema,
  isFixedRate: T.Optional(T.Boolean()),
  fixedRateFee: T.Optional(T.Object({ usd })),
  fallbackType: T.Optional(T.String()),
  route: QuoteRouteSchema,
});

/** Schema of a quote's settlement data (spec 2, section 2.1). */
const QuoteProtocolSchema = T.Object({
  orderId: T.String({ description: doc("The hash of orderData, which is also the id of the deposit.") }),
  hubType: T.Optional(oneOfOrUnknown(["onchain"], doc("Location of the balances."))),
  orderData: OrderSchema,
  orderSignature: T.Optional(
    T.String({ description: doc("The solver's signature over orderId; only with includeProtocolData.") }),
  ),
  paymentDetails: T.Object({
    chainId: T.String({ description: doc("Chain name in orders, such as base.") }),
    depository: T.String({ description: doc("Contract that receives the deposit.") }),
    currency: T.String(),
    amount: amountText(doc("In the smallest unit.")),
  }),
});

/** Schema of the response of `POST /quote/v2` (spec 2, section 2.1). */
export const QuoteSchema = T.Object(
  {
    steps: T.Array(StepSchema),
    fees: QuoteFeesSchema,
    feeSponsorship: T.Optional(nullable(FeeSponsorshipV2Schema)),
    details: QuoteDetailsSchema,
    // A same-chain swap has no order.
    protocol: T.Optional(T.Object({ v2: QuoteProtocolSchema })),
  },
  { description: doc("A price and the steps to accept it.") },
);

/** A price with the steps that accept it. */
export type Quote = ReadResponse<typeof QuoteSchema>;
