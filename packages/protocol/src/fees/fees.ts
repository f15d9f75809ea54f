import { doc } from "#doc";
import type * as Type from "typebox";

import { CurrencySchema } from "../common/currency.ts";
import type { Received } from "../schema/readResponse.ts";
import { decimalText, nullable } from "../schema/schemaParts.ts";
import * as T from "../schema/type.ts";
import { feeAmountFields, FeePhaseSchema, sponsorshipFields, SponsorshipPhaseSchema } from "./quotedFees.ts";

const ActualFeeSchema = T.Object({ usd: decimalText(doc("In USD.")), ...feeAmountFields });

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

/** Schema of the actual sponsorship (spec 1, section 2.4). */
export const ActualSponsorshipPhaseSchema = T.Object({
  ...sponsorshipFields,
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
