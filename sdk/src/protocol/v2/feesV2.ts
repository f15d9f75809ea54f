import * as Type from "typebox";

import { decimalText, nullable } from "../schema/schemaParts.ts";

/** A field that the service may leave out or give as null. */
export function maybe<Schema extends Type.TSchema>(schema: Schema) {
  return Type.Optional(nullable(schema));
}

/** Schema of a currency object of v2 (spec 1, section 2.4). */
export const CurrencyV2Schema = Type.Object({
  chainId: maybe(Type.Number()),
  address: maybe(Type.String()),
  symbol: maybe(Type.String()),
  name: maybe(Type.String()),
  decimals: maybe(Type.Number()),
  metadata: maybe(
    Type.Object({
      logoURI: maybe(Type.String()),
      verified: maybe(Type.Boolean()),
      isNative: maybe(Type.Boolean()),
    }),
  ),
});

/** Schema of an amount object of v2, each with its own currency (spec 1, section 2.4). */
export const AmountV2Schema = Type.Object({
  currency: maybe(CurrencyV2Schema),
  amount: maybe(decimalText("In the smallest unit.")),
  amountFormatted: maybe(decimalText()),
  amountUsd: maybe(decimalText()),
  amountUsdCurrent: maybe(decimalText()),
  minimumAmount: maybe(decimalText()),
});

const RouteSideV2Schema = Type.Object({
  inputCurrency: maybe(AmountV2Schema),
  outputCurrency: maybe(AmountV2Schema),
  router: maybe(Type.String()),
  // v3 has the sources of both sides on the route.
  includedSwapSources: maybe(Type.Array(Type.String())),
});

/** Schema of `data.metadata.route` of v2 (spec 1, section 2.7). */
export const RouteV2Schema = Type.Object({
  origin: maybe(RouteSideV2Schema),
  destination: maybe(RouteSideV2Schema),
});

const text = maybe(Type.String());

/** Schema of `data.fees` (wei) and `data.feesUsd` of v2 (spec 1, section 2.7), which v3 has no place for. */
export const WeiFeesV2Schema = Type.Object({ gas: text, fixed: text, price: text, gateway: text });

const phases = <Schema extends Type.TSchema>(quoted: Schema) => ({ quoted: maybe(quoted), actual: maybe(quoted) });

const ImpactV2Schema = maybe(Type.Object({ usd: text }));

/** Schema of `data.expandedPriceImpact` of v2 (spec 1, section 2.7). */
export const ExpandedPriceImpactV2Schema = Type.Object(
  phases(
    Type.Object({
      swap: ImpactV2Schema,
      execution: ImpactV2Schema,
      relay: ImpactV2Schema,
      app: ImpactV2Schema,
      sponsored: ImpactV2Schema,
    }),
  ),
);

const PaymentV2Schema = maybe(Type.Object({ amount: text, address: text, chainId: maybe(Type.Number()) }));

/** Schema of `data.subsidizedFee` of v2 (spec 1, section 2.7). */
export const SubsidizedFeeV2Schema = Type.Object({
  origin: PaymentV2Schema,
  sponsor: PaymentV2Schema,
  amountUsd: text,
  amountUsdCurrent: text,
});

const SponsoredComponentV2Schema = maybe(
  Type.Object({
    selected: maybe(Type.Boolean()),
    total: maybe(AmountV2Schema),
    sponsored: maybe(AmountV2Schema),
    userPays: maybe(AmountV2Schema),
  }),
);

/** Schema of `data.feeSponsorship` of v2, with the component names of v2 (spec 1, sections 2.4 and 2.7). */
export const FeeSponsorshipV2Schema = Type.Object(
  phases(
    Type.Object({
      selectedComponents: maybe(Type.Array(Type.String())),
      maxSubsidizationAmount: text,
      capHit: maybe(Type.Boolean()),
      components: maybe(
        Type.Object({
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
