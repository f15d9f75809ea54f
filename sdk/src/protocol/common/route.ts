import { doc } from "#doc";
import type * as Type from "typebox";

import { AmountSchema } from "./currency.ts";
import type { Received } from "../schema/readResponse.ts";
import { decimalText, nullable } from "../schema/schemaParts.ts";
import * as T from "../schema/type.ts";

/** Spec 1, section 2.4. */
export const RouteSideSchema = T.Object(
  {
    inputCurrency: AmountSchema,
    outputCurrency: AmountSchema,
    router: T.String({ description: doc("Who fills the leg; on an actual route who filled it.") }),
    includedSwapSources: T.Optional(T.Array(T.String(), { description: doc("On a quote only.") })),
    currencyGasTopup: T.Optional(AmountSchema),
  },
  { description: doc("What goes in and out on one chain.") },
);

// Same-chain swaps have no destination side.
const sides = {
  origin: RouteSideSchema,
  destination: T.Optional(nullable(RouteSideSchema)),
};

/** Spec 2, section 2.1. */
export const QuoteRouteSchema = T.Object(sides, { description: doc("The quoted route.") });

const swapSources = T.Array(T.String());

/**
 * `data.route` of a v3 record (spec 1, section 2.4): the deposit is `actual.origin.inputCurrency`, the received amount
 * `actual.destination.outputCurrency` (same-chain: `actual.origin.outputCurrency`). The quoted output, in the currency
 * that the user receives, is `quoted.destination.outputCurrency`. `actual.destination.inputCurrency` is what the fill
 * spends before a swap; without a swap, it equals the quoted output.
 */
export const RouteSchema = T.Object(
  {
    includedSwapSources: swapSources,
    includedOriginSwapSources: swapSources,
    includedDestinationSwapSources: swapSources,
    quoted: QuoteRouteSchema,
    actual: T.Object(
      { rate: decimalText(doc("Output units for one input unit.")), ...sides },
      { description: doc("The route as executed; as quoted while nothing is executed.") },
    ),
  },
  { description: doc("The route of a request.") },
);

/** The route of a v3 record. */
export type Route = Received<Type.Static<typeof RouteSchema>>;
