import * as Type from "typebox";

import { CurrencySchema, GroupAmountSchema } from "../common/currency.ts";
import { FeeComponentSchema } from "../common/requestType.ts";
import type { Received } from "../schema/readResponse.ts";
import { decimalText, nullable } from "../schema/schemaParts.ts";

const componentFields = {
  amount: decimalText("In the smallest unit of the group's currency."),
  amountFormatted: decimalText("In whole units."),
};

const QuotedFeeSchema = Type.Object({ usd: Type.Optional(decimalText("In USD.")), ...componentFields });
const ActualFeeSchema = Type.Object({ usd: decimalText("In USD."), ...componentFields });

/** Spec 1, section 2.4. */
export const FeePhaseSchema = Type.Object({
  swap: QuotedFeeSchema,
  execution: QuotedFeeSchema,
  platform: QuotedFeeSchema,
  app: QuotedFeeSchema,
  sponsored: Type.Optional(QuotedFeeSchema),
});

export type FeePhase = Received<Type.Static<typeof FeePhaseSchema>>;

/** `usd` is always present (spec 1, section 2.4). */
export const ActualFeePhaseSchema = Type.Object({
  swap: ActualFeeSchema,
  execution: ActualFeeSchema,
  platform: ActualFeeSchema,
  app: ActualFeeSchema,
  sponsored: Type.Optional(ActualFeeSchema),
});

/** Spec 1, section 2.2; spec 2, section 9.2. */
export const FeesSchema = Type.Object(
  {
    quoted: FeePhaseSchema,
    // Absent before the fill.
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

/** Spec 1, section 2.4. */
const AppFeeSchema = Type.Object({
  ...appFeeFields,
  amountUsd: Type.Optional(decimalText("In USD.")),
  amountUsdCurrent,
});

/** `amountUsd` is always present (spec 1, section 2.4). */
export const ActualAppFeeSchema = Type.Object({
  ...appFeeFields,
  amountUsd: decimalText("In USD."),
  amountUsdCurrent,
});

/** Spec 1, section 2.2. */
export const AppFeesSchema = Type.Object(
  {
    quoted: Type.Array(AppFeeSchema),
    actual: Type.Array(ActualAppFeeSchema),
    // Absent without app fees.
    currency: Type.Optional(CurrencySchema),
  },
  { description: "Fees that the integrator adds." },
);

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

/** Spec 1, section 2.4. */
export const SponsorshipPhaseSchema = Type.Object(phaseFields);

export type SponsorshipPhase = Received<Type.Static<typeof SponsorshipPhaseSchema>>;

/** Spec 1, section 2.4. */
export const ActualSponsorshipPhaseSchema = Type.Object({
  ...phaseFields,
  sponsorPayment: Type.Optional(
    Type.Object(
      {
        amount: decimalText("In the smallest unit."),
        address: Type.String({ description: "Currency that the sponsor paid in." }),
        chainId: Type.Integer(),
      },
      { description: "Amount that the sponsor paid." },
    ),
  ),
});

/** Spec 1, section 2.2: sponsored if `sponsoredTotal.amountUsd` is not zero. */
export const FeeSponsorshipSchema = Type.Object(
  {
    quoted: SponsorshipPhaseSchema,
    actual: Type.Optional(nullable(ActualSponsorshipPhaseSchema)),
    currency: CurrencySchema,
  },
  { description: "Who pays which fee component." },
);
