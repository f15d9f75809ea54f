import { doc } from "#doc";
import type * as Type from "typebox";

import { decimalText, nullable } from "../schema/schemaParts.ts";
import * as T from "../schema/type.ts";

/** A field that the service may leave out or give as null. */
export function maybe<Schema extends Type.TSchema>(schema: Schema) {
  return T.Optional(nullable(schema));
}

/** Schema of a currency object of v2 (spec 1, section 2.4). */
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

/** Schema of an amount object of v2, each with its own currency (spec 1, section 2.4). */
export const AmountV2Schema = T.Object({
  currency: maybe(CurrencyV2Schema),
  amount: maybe(decimalText(doc("In the smallest unit."))),
  amountFormatted: maybe(decimalText()),
  amountUsd: maybe(decimalText()),
  amountUsdCurrent: maybe(decimalText()),
  minimumAmount: maybe(decimalText()),
});

const RouteSideV2Schema = T.Object({
  inputCurrency: maybe(AmountV2Schema),
  outputCurrency: maybe(AmountV2Schema),
  router: maybe(T.String()),
  // v3 has the sources of both sides on the route.
  includedSwapSources: maybe(T.Array(T.String())),
});

/** Schema of `data.metadata.route` of v2 (spec 1, section 2.7). */
export const RouteV2Schema = T.Object({
  origin: maybe(RouteSideV2Schema),
  destination: maybe(RouteSideV2Schema),
});

const text = maybe(T.String());

/** Schema of `data.fees` (wei) and `data.feesUsd` of v2 (spec 1, section 2.7), which v3 has no place for. */
export const WeiFeesV2Schema = T.Object({ gas: text, fixed: text, price: text, gateway: text });

const phases = <Schema extends Type.TSchema>(quoted: Schema) => ({ quoted: maybe(quoted), actual: maybe(quoted) });

const ImpactV2Schema = maybe(T.Object({ usd: text }));

/** Schema of `data.expandedPriceImpact` of v2 (spec 1, section 2.7). */
export const ExpandedPriceImpactV2Schema = T.Object(
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

const PaymentV2Schema = maybe(T.Object({ amount: text, address: text, chainId: maybe(T.Number()) }));

/** Schema of `data.subsidizedFee` of v2 (spec 1, section 2.7). */
export const SubsidizedFeeV2Schema = T.Object({
  origin: PaymentV2Schema,
  sponsor: PaymentV2Schema,
  amountUsd: text,
  amountUsdCurrent: text,
});

const SponsoredComponentV2Schema = maybe(
  T.Object({
    selected: maybe(T.Boolean()),
    total: maybe(AmountV2Schema),
    sponsored: maybe(AmountV2Schema),
    userPays: maybe(AmountV2Schema),
  }),
);

/** Schema of `data.feeSponsorship` of v2, with the component names of v2 (spec 1, sections 2.4 and 2.7). */
export const FeeSponsorshipV2Schema = T.Object(
  phases(
    T.Object({
      selectedComponents: maybe(T.Array(T.String())),
      maxSubsidizationAmount: text,
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
