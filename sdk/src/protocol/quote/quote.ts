import * as Type from "typebox";

import { AmountSchema } from "../common/currency.ts";
import { OrderSchema } from "../order/order.ts";
import { QuoteRouteSchema } from "../common/route.ts";
import type { ReadResponse, Received } from "../schema/readResponse.ts";
import { FeeSponsorshipV2Schema } from "../v2/feesV2.ts";
import { amountText, decimalText, nullable, oneOfOrUnknown } from "../schema/schemaParts.ts";
import { StepSchema } from "./step.ts";

const usd = decimalText("In USD.");
const percent = decimalText("In percent.");

const ImpactSchema = Type.Object({ usd, percent });
const ImpactComponentSchema = Type.Object({ usd });
const SlippageSchema = Type.Object({ usd, value: decimalText("In the smallest unit."), percent });

/** Deprecated; the whole cost is `details.expandedPriceImpact` (spec 2, section 2.1). */
export const QuoteFeesSchema = Type.Object(
  {
    gas: AmountSchema,
    relayer: AmountSchema,
    relayerGas: AmountSchema,
    relayerService: AmountSchema,
    app: AmountSchema,
    subsidized: Type.Optional(AmountSchema),
  },
  { deprecated: true, description: "relayer is relayerGas and relayerService together." },
);

/** The deprecated fees of a quote. */
export type QuoteFees = Received<Type.Static<typeof QuoteFeesSchema>>;

/** Spec 2, section 2.1. */
const ExpandedPriceImpactSchema = Type.Object(
  {
    swap: ImpactComponentSchema,
    execution: ImpactComponentSchema,
    relay: ImpactComponentSchema,
    app: ImpactComponentSchema,
    sponsored: Type.Optional(ImpactComponentSchema),
  },
  { description: "Cost by component; relay is the platform's." },
);

const PriceDetailsSchema = Type.Object({
  // The specification has the first two; the live service adds the others, for same-chain requests.
  operation: oneOfOrUnknown(["bridge", "swap", "send", "wrap", "unwrap"], "What the request does with the input."),
  sender: Type.String(),
  recipient: Type.String(),
  currencyIn: AmountSchema,
  currencyOut: AmountSchema,
  totalImpact: ImpactSchema,
  swapImpact: ImpactSchema,
  rate: decimalText("Output units for one input unit."),
  slippageTolerance: Type.Object({
    total: Type.Optional(decimalText("In basis points.")),
    origin: Type.Optional(SlippageSchema),
    destination: Type.Optional(SlippageSchema),
  }),
  timeEstimate: Type.Number({ description: "Expected seconds to the fill." }),
  userBalance: Type.Optional(decimalText("Of the origin currency, in the smallest unit.")),
});

/** Schema of the response of `POST /price`: a quote without steps, order and request. */
export const PriceSchema = Type.Object(
  { fees: QuoteFeesSchema, details: PriceDetailsSchema },
  { description: "A price." },
);

/** A price without steps, as the service sends it. */
export type Price = ReadResponse<typeof PriceSchema>;

/** Spec 2, section 2.1. */
export const QuoteDetailsSchema = Type.Object({
  ...PriceDetailsSchema.properties,
  refundCurrency: Type.Optional(AmountSchema),
  currencyGasTopup: Type.Optional(AmountSchema),
  expandedPriceImpact: ExpandedPriceImpactSchema,
  isFixedRate: Type.Optional(Type.Boolean()),
  fixedRateFee: Type.Optional(Type.Object({ usd })),
  fallbackType: Type.Optional(Type.String()),
  route: QuoteRouteSchema,
});

/** Spec 2, section 2.1. */
const QuoteProtocolSchema = Type.Object({
  orderId: Type.String({ description: "The hash of orderData, and the id of the deposit." }),
  hubType: Type.Optional(oneOfOrUnknown(["onchain"], "Where balances are kept.")),
  orderData: OrderSchema,
  orderSignature: Type.Optional(Type.String({ description: "Of the solver over orderId; with includeProtocolData." })),
  paymentDetails: Type.Object({
    chainId: Type.String({ description: "Chain name in orders, such as base." }),
    depository: Type.String({ description: "Contract that takes the deposit." }),
    currency: Type.String(),
    amount: amountText("In the smallest unit."),
  }),
});

/** Schema of the response of `POST /quote/v2` (spec 2, section 2.1). */
export const QuoteSchema = Type.Object(
  {
    steps: Type.Array(StepSchema),
    fees: QuoteFeesSchema,
    feeSponsorship: Type.Optional(nullable(FeeSponsorshipV2Schema)),
    details: QuoteDetailsSchema,
    // A same-chain swap has no order.
    protocol: Type.Optional(Type.Object({ v2: QuoteProtocolSchema })),
  },
  { description: "A price and the steps to take it." },
);

/** A price and the steps to accept it. */
export type Quote = ReadResponse<typeof QuoteSchema>;
