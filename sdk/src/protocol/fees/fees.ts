import * as Type from "typebox";

import { CurrencySchema, GroupAmountSchema } from "../common/currency.ts";
import { FeeComponentSchema } from "../common/requestType.ts";
import type { Received } from "../schema/readResponse.ts";
import { decimalText, nullable } from "../schema/schemaParts.ts";

const componentFields = {
  amount: decimalText("In the smallest unit of the group's currency."),
  amountFormatted: decimalText("In whole units."),
};

const QuotedFeeSchema = Type.Object({
  usd: Type.Optional(decimalText("In USD.")),
  ...componentFields,
});
const ActualFeeSchema = Type.Object({ usd: decimalText("In USD."), ...componentFields });

/** Schema of the quoted fee phase (spec 1, section 2.4). */
export const FeePhaseSchema = Type.Object({
  swap: QuotedFeeSchema,
  execution: QuotedFeeSchema,
  platform: QuotedFeeSchema,
  app: QuotedFeeSchema,
  sponsored: Type.Optional(QuotedFeeSchema),
});

/** Fees by component, as quoted. */
export type FeePhase = Received<Type.Static<typeof FeePhaseSchema>>;

/** Schema of the actual fee phase, where `usd` is always present (spec 1, section 2.4). */
export const ActualFeePhaseSchema = Type.Object({
  swap: ActualFeeSchema,
  execution: ActualFeeSchema,
  platform: ActualFeeSchema,
  app: ActualFeeSchema,
  sponsored: Type.Optional(ActualFeeSchema),
});

/** Fees by component, as paid. */
export type ActualFeePhase = Received<Type.Static<typeof ActualFeePhaseSchema>>;

/** Schema of `data.fees` (spec 1, section 2.2; spec 2, section 9.2). */
export const FeesSchema = Type.Object(
  {
    quoted: FeePhaseSchema,
    // Computed at fill time: a request that is not filled has none.
    actual: Type.Optional(nullable(ActualFeePhaseSchema)),
    currency: CurrencySchema,
  },
  { description: "Fees by component: quoted, and actual once filled." },
);

/** Fees of a request. */
export type Fees = Received<Type.Static<typeof FeesSchema>>;

const appFeeFields = {
  recipient: Type.String({ description: "Who receives the fee." }),
  bps: decimalText("Share in basis points."),
  amount: decimalText("In the smallest unit of the group's currency."),
  amountFormatted: decimalText("In whole units."),
};
const amountUsdCurrent = Type.Optional(decimalText("In USD, now."));

/** Schema of a quoted app fee entry (spec 1, section 2.4). */
export const AppFeeSchema = Type.Object({
  ...appFeeFields,
  amountUsd: Type.Optional(decimalText("In USD.")),
  amountUsdCurrent,
});

/** Schema of an actual app fee entry, where `amountUsd` is always present (spec 1, section 2.4). */
export const ActualAppFeeSchema = Type.Object({
  ...appFeeFields,
  amountUsd: decimalText("In USD."),
  amountUsdCurrent,
});

/** A paid app fee. */
export type ActualAppFee = Received<Type.Static<typeof ActualAppFeeSchema>>;

/** Schema of `data.appFees` (spec 1, section 2.2). */
export const AppFeesSchema = Type.Object(
  {
    quoted: Type.Array(AppFeeSchema),
    actual: Type.Array(ActualAppFeeSchema),
    // Without app fees there is nothing that it would be the currency of.
    currency: Type.Optional(CurrencySchema),
  },
  { description: "Fees that the integrator adds." },
);

/** App fees of a request. */
export type AppFees = Received<Type.Static<typeof AppFeesSchema>>;

const SponsoredComponentSchema = Type.Object({
  selected: Type.Boolean({ description: "Whether the component was chosen for sponsorship." }),
  total: GroupAmountSchema,
  sponsored: GroupAmountSchema,
  userPays: GroupAmountSchema,
});

const phaseFields = {
  selectedComponents: Type.Array(FeeComponentSchema),
  maxSubsidizationAmount: Type.Optional(nullable(decimalText("Cap in USD micro-units."))),
  capHit: Type.Boolean({ description: "Whether the cap limited the sponsorship." }),
  components: Type.Object({
    execution: SponsoredComponentSchema,
    swap: SponsoredComponentSchema,
    platform: SponsoredComponentSchema,
    app: SponsoredComponentSchema,
    rent: Type.Optional(SponsoredComponentSchema),
  }),
  sponsoredTotal: GroupAmountSchema,
  userPaysTotal: GroupAmountSchema,
};

/** Schema of the quoted sponsorship phase (spec 1, section 2.4). */
export const SponsorshipPhaseSchema = Type.Object(phaseFields);

/** Who pays which fee, as quoted. */
export type SponsorshipPhase = Received<Type.Static<typeof SponsorshipPhaseSchema>>;

/** Schema of the actual sponsorship phase (spec 1, section 2.4). */
export const ActualSponsorshipPhaseSchema = Type.Object({
  ...phaseFields,
  sponsorPayment: Type.Optional(
    Type.Object(
      {
        amount: decimalText("In the smallest unit."),
        address: Type.String({ description: "Currency that the sponsor paid in." }),
        chainId: Type.Integer(),
      },
      { description: "What the sponsor paid, where it paid." },
    ),
  ),
});

/** Who paid which fee. */
export type ActualSponsorshipPhase = Received<Type.Static<typeof ActualSponsorshipPhaseSchema>>;

/** Schema of `data.feeSponsorship` (spec 1, section 2.2): sponsored where `sponsoredTotal.amountUsd` is not zero. */
export const FeeSponsorshipSchema = Type.Object(
  {
    quoted: SponsorshipPhaseSchema,
    actual: Type.Optional(nullable(ActualSponsorshipPhaseSchema)),
    currency: CurrencySchema,
  },
  { description: "Who pays which fee component." },
);

/** Fee sponsorship of a request. */
export type FeeSponsorship = Received<Type.Static<typeof FeeSponsorshipSchema>>;
