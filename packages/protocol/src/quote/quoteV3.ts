import { doc } from "#doc";
import type * as Type from "typebox";

import { CurrencySchema } from "../common/currency.ts";
import { FeePhaseSchema, SponsorshipPhaseSchema } from "../fees/quotedFees.ts";
import { DepositAddressSchema } from "../request/depositAddress.ts";
import { isObject } from "../schema/json.ts";
import { type Received, type ReadResponse, readResponse } from "../schema/readResponse.ts";
import { nullable } from "../schema/schemaParts.ts";
import * as T from "../schema/type.ts";
import { type Quote, QuoteSchema } from "./quote.ts";
import type { ReceivedQuote } from "./quoteFreshness.ts";
import { type Step, StepItemSchema, StepSchema } from "./step.ts";

const { id, action, description, kind } = StepSchema.properties;

/** Schema of a step of quote v3, which is one action instead of the list of items in v2. */
export const StepV3Schema = T.Object(
  {
    id,
    action,
    description,
    kind,
    ...StepItemSchema.properties,
    depositAddress: T.Optional(nullable(DepositAddressSchema)),
    depositAddressId: T.Optional(nullable(T.String())),
  },
  { description: doc("An action that the user's wallet performs.") },
);

/** A step of quote v3. */
export type StepV3 = Received<Type.Static<typeof StepV3Schema>>;

const { details, protocol } = QuoteSchema.properties;

/**
 * Schema of the response of `POST /quote/v3`. The public documentation omits `details`, `protocol` and the data of
 * signature steps, so these use the names from v2.
 */
export const QuoteV3Schema = T.Object(
  {
    requestId: T.String({ description: doc("Id of the quote's request.") }),
    steps: T.Array(StepV3Schema),
    fees: T.Object(
      { quoted: FeePhaseSchema, currency: CurrencySchema },
      { description: doc("Fees by component, as in requests v3.") },
    ),
    feeSponsorship: T.Optional(nullable(T.Object({ quoted: SponsorshipPhaseSchema, currency: CurrencySchema }))),
    details,
    protocol,
  },
  { description: doc("A price and the steps to accept it.") },
);

/** A quote of v3, as the service sends it. Functions that accept a quote convert it with {@link toQuote}. */
export type QuoteV3 = ReadResponse<typeof QuoteV3Schema>;

/** Schema of the response of `POST /execute/permits/v2`. */
export const PermitResponseV3Schema = T.Object({ message: T.String(), steps: T.Array(StepV3Schema) });

/** Whether a quote has the form of v3: only v3 has the request's id, or fees by phase, at its top level. */
export function isQuoteV3(quote: unknown): quote is QuoteV3 {
  return isObject(quote) && ("requestId" in quote || (isObject(quote.fees) && "quoted" in quote.fees));
}

/** Converts the response of any version to the SDK's quote type. */
export function readAnyQuote(raw: unknown): Quote {
  return isQuoteV3(raw) ? fromQuoteV3(readResponse(QuoteV3Schema, raw)) : readResponse(QuoteSchema, raw);
}

/** Converts a quote of v3 to the SDK's quote type. Does not change other quotes, or fields that v3 does not have. */
export function toQuote(
  quote: ReceivedQuote | (QuoteV3 & Pick<ReceivedQuote, "quotedAtMs" | "quotedRequest">),
): ReceivedQuote;
export function toQuote(quote: Quote | QuoteV3): Quote;
export function toQuote(quote: Quote | QuoteV3): Quote {
  return isQuoteV3(quote) ? fromQuoteV3(quote) : quote;
}

/** Converts a complete or partial response of `POST /quote/v3`. */
export function fromQuoteV3(quote: QuoteV3): Quote {
  const { requestId, steps, fees, feeSponsorship, details: stated, ...rest } = quote;
  const impact = stated?.expandedPriceImpact ?? (fees?.quoted == null ? undefined : toImpact(fees.quoted));
  return {
    ...rest,
    ...(stated == null && impact === undefined ? {} : { details: { ...stated, expandedPriceImpact: impact } }),
    ...(steps == null ? {} : { steps: toSteps(steps, { requestId, sender: stated?.sender }) }),
    ...(feeSponsorship == null ? {} : { feeSponsorship: { quoted: toSponsorship(feeSponsorship) } }),
  };
}

/** Fields that v3 states once for all steps. */
export interface StepTerms {
  readonly requestId: string | null | undefined;
  /** Sender of the transactions, which v3 steps omit. */
  readonly sender: string | null | undefined;
}

/** Converts steps of v3 to steps with one item each. */
export function toSteps(steps: readonly StepV3[], { requestId, sender }: StepTerms): Step[] {
  return steps.map((step) => {
    // The functions that read steps report entries that are not objects.
    if (!isObject(step)) return step;
    const { status, data, check, depositAddress, ...rest } = step;
    const isCall = isObject(data) && "chainId" in data && "to" in data && !("from" in data);
    return {
      ...rest,
      ...(requestId == null ? {} : { requestId }),
      depositAddress: depositAddress?.address ?? "",
      items: [{ status, data: isCall && sender != null ? { from: sender, ...data } : data, check }],
    };
  });
}

type Impact = NonNullable<NonNullable<Quote["details"]>["expandedPriceImpact"]>;

function toImpact({
  swap,
  execution,
  platform,
  app,
  sponsored,
}: NonNullable<NonNullable<QuoteV3["fees"]>["quoted"]>): Impact {
  const usdOf = (fee: typeof swap) => (fee == null ? fee : { usd: fee.usd });
  return {
    swap: usdOf(swap),
    execution: usdOf(execution),
    relay: usdOf(platform),
    app: usdOf(app),
    ...(sponsored == null ? {} : { sponsored: usdOf(sponsored) }),
  };
}

type SponsorshipV3 = NonNullable<QuoteV3["feeSponsorship"]>;
type Sponsorship = NonNullable<NonNullable<Quote["feeSponsorship"]>["quoted"]>;

/** Adds the currency to each amount, as in v2. */
function toSponsorship({ quoted, currency }: SponsorshipV3): Sponsorship {
  const own = <Value extends object>(value: Value | null | undefined) =>
    value == null ? value : { currency, ...value };
  const { selectedComponents, components, sponsoredTotal, userPaysTotal, ...rest } = quoted ?? {};
  const component = (part: NonNullable<typeof components>["swap"]) =>
    part == null
      ? part
      : {
          selected: part.selected,
          total: own(part.total),
          sponsored: own(part.sponsored),
          userPays: own(part.userPays),
        };
  return {
    ...rest,
    selectedComponents: selectedComponents?.map((name) => (name === "platform" ? "relay" : name)),
    components: components && {
      execution: component(components.execution),
      swap: component(components.swap),
      relay: component(components.platform),
      app: component(components.app),
      ...(components.rent == null ? {} : { rent: component(components.rent) }),
    },
    sponsoredTotal: own(sponsoredTotal),
    userPaysTotal: own(userPaysTotal),
  };
}
