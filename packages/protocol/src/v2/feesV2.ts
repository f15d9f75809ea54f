import { doc } from "#doc";
import type * as Type from "typebox";

import { decimalText, nullable } from "../schema/schemaParts.ts";
import * as T from "../schema/type.ts";

/** Makes a field optional and nullable. */
export function maybe<Schema extends Type.TSchema>(schema: Schema) {
  return T.Optional(nullable(schema));
}

/** Schema of a v2 currency object (spec 1, section 2.4). */
export const CurrencyV2Schema = T.Object({
  chainId: maybe(T.Number()),
  address: maybe(T.String()),
  symbol: maybe(T.String()),
  name: maybe(T.String()),
  decimals: maybe(T.Number()),
  metadata: maybe(
    T.Object({
      logoURI: maybe(T.String()),
      verified: maybe(T.Boolean()),
      isNative: maybe(T.Boolean()),
    }),
  ),
});

/** Schema of a v2 amount object, which has its own currency (spec 1, section 2.4). */
export const AmountV2Schema = T.Object({
  currency: maybe(CurrencyV2Schema),
  amount: maybe(decimalText(doc("In the smallest unit."))),
  amountFormatted: maybe(decimalText()),
  amountUsd: maybe(decimalText()),
  amountUsdCurrent: maybe(decimalText()),
  minimumAmount: maybe(decimalText()),
});

/** Schema of a string that can be missing or null. */
export const maybeText = maybe(T.String());

/** Creates the schema of quoted and actual values. */
export const phases = <Schema extends Type.TSchema>(quoted: Schema) => ({
  quoted: maybe(quoted),
  actual: maybe(quoted),
});

/** Schema of a sponsor's payment in v2. */
export const PaymentV2Schema = maybe(T.Object({ amount: maybeText, address: maybeText, chainId: maybe(T.Number()) }));

const SponsoredComponentV2Schema = maybe(
  T.Object({
    selected: maybe(T.Boolean()),
    total: maybe(AmountV2Schema),
    sponsored: maybe(AmountV2Schema),
    userPays: maybe(AmountV2Schema),
  }),
);

/** Schema of `data.feeSponsorship` in v2, with v2 component names (spec 1, sections 2.4 and 2.7). */
export const FeeSponsorshipV2Schema = T.Object(
  phases(
    T.Object({
      selectedComponents: maybe(T.Array(T.String())),
      maxSubsidizationAmount: maybeText,
      capHit: maybe(T.Boolean()),
      components: maybe(
        T.Object({
          execution: SponsoredComponentV2Schema,
          swap: SponsoredComponentV2Schema,
          relay: SponsoredComponentV2Schema,
          app: SponsoredComponentV2Schema,
          rent: SponsoredComponentV2Schema,
        }),
      ),
      sponsoredTotal: maybe(AmountV2Schema),
      userPaysTotal: maybe(AmountV2Schema),
      sponsorPayment: PaymentV2Schema,
    }),
  ),
);
