// The quoted phase of fees and sponsorship. Requests also have an actual phase, which quotes do not load.
import { doc } from "#doc";
import type * as Type from "typebox";

import { GroupAmountSchema } from "../common/currency.ts";
import type { Received } from "../schema/readResponse.ts";
import { decimalText, nullable, oneOfOrUnknown } from "../schema/schemaParts.ts";
import * as T from "../schema/type.ts";
import { FEE_COMPONENTS } from "../schema/values.ts";

/** Amounts of a fee component. */
export const feeAmountFields = {
  amount: decimalText(doc("Amount in the smallest unit of the group's currency.")),
  amountFormatted: decimalText(doc("In whole units.")),
};

const QuotedFeeSchema = T.Object({ usd: T.Optional(decimalText(doc("In USD."))), ...feeAmountFields });

/** Schema of the fees of one phase (spec 1, section 2.4). */
export const FeePhaseSchema = T.Object({
  swap: QuotedFeeSchema,
  execution: QuotedFeeSchema,
  platform: QuotedFeeSchema,
  app: QuotedFeeSchema,
  sponsored: T.Optional(QuotedFeeSchema),
});

export type FeePhase = Received<Type.Static<typeof FeePhaseSchema>>;

const SponsoredComponentSchema = T.Object({
  selected: T.Boolean({ description: doc("Whether the component was chosen for sponsorship.") }),
  total: GroupAmountSchema,
  sponsored: GroupAmountSchema,
  userPays: GroupAmountSchema,
});

/** Fields of a phase of a sponsorship. */
export const sponsorshipFields = {
  selectedComponents: T.Array(oneOfOrUnknown(FEE_COMPONENTS, doc("A fee component; platform is relay in v2."))),
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
export const SponsorshipPhaseSchema = T.Object(sponsorshipFields);

export type SponsorshipPhase = Received<Type.Static<typeof SponsorshipPhaseSchema>>;
