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
