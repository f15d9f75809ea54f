import { doc } from "#doc";
import type * as Type from "typebox";

import { CurrencySchema, GroupAmountSchema } from "../common/currency.ts";
import { FeeComponentSchema } from "../common/requestType.ts";
import type { Received } from "../schema/readResponse.ts";
import { decimalText, nullable } from "../schema/schemaParts.ts";
import * as T from "../schema/type.ts";

const componentFields = {
  amount: decimalText(doc("Amount in the smallest unit of the group's currency.")),
  amountFormatted: decimalText(doc("In whole units.")),
};

const QuotedFeeSchema = T.Object({ usd: T.Optional(decimalText(doc("In USD."))), ...componentFields });
const ActualFeeSchema = T.Object({ usd: decimalText(doc("In USD.")), ...componentFields });

/** Schema of the fees of one phase (spec 1, section 2.4). */
export const FeePhaseSchema = T.Object({
  swap: QuotedFeeSchema,
  execution: QuotedFeeSchema,
  platform: QuotedFeeSchema,
  app: QuotedFeeSchema,
  sponsored: T.Optional(QuotedFeeSchema),
});

export type FeePhase = Received<Type.Static<typeof FeePhaseSchema>>;

/** `usd` is always present (spec 1, section 2.4). */
export const ActualFeePhaseSchema = T.Object({
  swap: ActualFeeSchema,
  execution: ActualFeeSchema,
  platform: ActualFeeSchema,
  app: ActualFeeSchema,
  sponsored: T.Optional(ActualFeeSchema),
});

/** Schema of a request's fees (spec 1, section 2.2; spec 2, section 9.2). */
export const FeesSchema = T.Object(
  {
    quoted: FeePhaseSchema,
    // Absent before the fill.
    actual: T.Optional(nullable(ActualFeePhaseSchema)),
    currency: CurrencySchema,
  },
  { description: doc("Fees by component: quoted, and actual after the fill.") },
);

/** Fees of a request. */
export type Fees = Received<Type.Static<typeof FeesSchema>>;

const appFeeFields = {
  recipient: T.String({ description: doc("Recipient of the fee.") }),
  bps: decimalText(doc("Share in basis points.")),
  amount: decimalText(doc("Amount in the smallest unit of the group's currency.")),
  amountFormatted: decimalText(doc("In whole units.")),
};
const amountUsdCurrent = T.Optional(decimalText(doc("In USD, now.")));

/** Schema of an app fee (spec 1, section 2.4). */
const AppFeeSchema = T.Object({
  ...appFeeFields,
  amountUsd: T.Optional(decimalText(doc("In USD."))),
  amountUsdCurrent,
});

/** `amountUsd` is always present (spec 1, section 2.4). */
export const ActualAppFeeSchema = T.Object({
  ...appFeeFields,
  amountUsd: decimalText(doc("In USD.")),
  amountUsdCurrent,
});

/** Schema of a request's app fees (spec 1, section 2.2). */
export const AppFeesSchema = T.Object(
  {
    quoted: T.Array(AppFeeSchema),
    actual: T.Array(ActualAppFeeSchema),
    // Absent if there are no app fees.
    currency: T.Optional(CurrencySchema),
  },
  { description: doc("Fees that the integrator adds.") },
);

const SponsoredComponentSchema = T.Object({
  selected: T.Boolean({ description: doc("Whether the component was chosen for sponsorship.") }),
  total: GroupAmountSchema,
  sponsored: GroupAmountSchema,
  userPays: GroupAmountSchema,
});

const phaseFields = {
  selectedComponents: T.Array(FeeComponentSchema),
  maxSubsidizationAmount: T.Optional(nullable(decimalText(doc("Cap in USD micro-units.")))),
  capHit: T.Boolean({ description: doc("Whether the cap limited the sponsorship.") }),
  components: T.Object({
    execution: SponsoredComponentSchema,
    swap: SponsoredComponentSchema,
    platform: SponsoredComponentSchema,
    app: SponsoredComponentSchema,
    rent: T.Optional(SponsoredComponentSchema),
  }),
  sponsoredTotal: GroupAmountSchema,
  userPaysTotal: GroupAmountSchema,
};

/** Schema of the sponsorship of one phase (spec 1, section 2.4). */
export const SponsorshipPhaseSchema = T.Object(phaseFields);

export type SponsorshipPhase = Received<Type.Static<typeof SponsorshipPhaseSchema>>;

/** Schema of the actual sponsorship (spec 1, section 2.4). */
export const ActualSponsorshipPhaseSchema = T.Object({
  ...phaseFields,
  sponsorPayment: T.Optional(
    T.Object(
      {
        amount: decimalText(doc("In the smallest unit.")),
        address: T.String({ description: doc("Currency in which the sponsor paid.") }),
        chainId: T.Integer(),
      },
      { description: doc("Amount that the sponsor paid.") },
    ),
  ),
});

/**
 * Schema of a request's sponsorship (spec 1, section 2.2). A request is sponsored if `sponsoredTotal.amountUsd` is not
 * zero.
 */
export const FeeSponsorshipSchema = T.Object(
  {
    quoted: SponsorshipPhaseSchema,
    actual: T.Optional(nullable(ActualSponsorshipPhaseSchema)),
    currency: CurrencySchema,
  },
  { description: doc("Split of the fee components between sponsor and user.") },
);
