import * as Type from "typebox";

import { AmountSchema } from "./currency.ts";
import type { Received } from "../schema/readResponse.ts";
import { decimalText, nullable } from "../schema/schemaParts.ts";

/** Spec 1, section 2.4. */
export const RouteSideSchema = Type.Object(
  {
    inputCurrency: AmountSchema,
    outputCurrency: AmountSchema,
    router: Type.String({ description: "Who fills the leg; on an actual route who filled it." }),
    includedSwapSources: Type.Optional(Type.Array(Type.String(), { description: "On a quote only." })),
    currencyGasTopup: Type.Optional(AmountSchema),
  },
  { description: "What goes in and out on one chain." },
);

// Same-chain swaps have no destination side.
const sides = {
  origin: RouteSideSchema,
  destination: Type.Optional(nullable(RouteSideSchema)),
};

/** Spec 2, section 2.1. */
export const QuoteRouteSchema = Type.Object(sides, { description: "The quoted route." });

const swapSources = Type.Array(Type.String());

/**
 * `data.route` of a v3 record (spec 1, section 2.4): the deposit is `actual.origin.inputCurrency`, the received amount
 * `actual.destination.outputCurrency` (same-chain: `actual.origin.outputCurrency`). The quoted output, in the currency
 * that the user receives, is `quoted.destination.outputCurrency`. `actual.destination.inputCurrency` is what the fill
 * spends before a swap; without a swap, it equals the quoted output.
 */
export const RouteSchema = Type.Object(
  {
    includedSwapSources: swapSources,
    includedOriginSwapSources: swapSources,
    includedDestinationSwapSources: swapSources,
    quoted: QuoteRouteSchema,
    actual: Type.Object(
      { rate: decimalText("Output units for one input unit."), ...sides },
      { description: "The route as executed; as quoted while nothing is executed." },
    ),
  },
  { description: "The route of a request." },
);

/** The route of a v3 record. */
export type Route = Received<Type.Static<typeof RouteSchema>>;
