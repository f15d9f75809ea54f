import { doc } from "#doc";

import { AmountSchema } from "./currency.ts";
import { nullable } from "../schema/schemaParts.ts";
import * as T from "../schema/type.ts";

/** Schema of one side of a route (spec 1, section 2.4). */
export const RouteSideSchema = T.Object(
  {
    inputCurrency: AmountSchema,
    outputCurrency: AmountSchema,
    router: T.String({ description: doc("Name of the router that fills this leg, or filled it on an actual route.") }),
    includedSwapSources: T.Optional(T.Array(T.String(), { description: doc("Only in quotes.") })),
    currencyGasTopup: T.Optional(AmountSchema),
  },
  { description: doc("Input and output of a route on one chain.") },
);

// Schema of a route. Same-chain swaps have no destination side.
export const ROUTE_SIDES = {
  origin: RouteSideSchema,
  destination: T.Optional(nullable(RouteSideSchema)),
};

/** Schema of a quote's route (spec 2, section 2.1). */
export const QuoteRouteSchema = T.Object(ROUTE_SIDES, { description: doc("The quoted route.") });
