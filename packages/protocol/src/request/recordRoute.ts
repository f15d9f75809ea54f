import { doc } from "#doc";
import type * as Type from "typebox";

import { QuoteRouteSchema, ROUTE_SIDES } from "../common/route.ts";
import type { Received } from "../schema/readResponse.ts";
import { decimalText } from "../schema/schemaParts.ts";
import * as T from "../schema/type.ts";

const swapSources = T.Array(T.String());

/**
 * `data.route` of a v3 record (spec 1, section 2.4): the deposit is `actual.origin.inputCurrency`, the received amount
 * `actual.destination.outputCurrency` (same-chain: `actual.origin.outputCurrency`). The quoted output in the currency
 * that the user receives is `quoted.destination.outputCurrency`. `actual.destination.inputCurrency` is the amount that
 * the fill spends before a swap; without a swap, it equals the quoted output.
 */
export const RouteSchema = T.Object(
  {
    includedSwapSources: swapSources,
    includedOriginSwapSources: swapSources,
    includedDestinationSwapSources: swapSources,
    quoted: QuoteRouteSchema,
    actual: T.Object(
      { rate: decimalText(doc("Output units per input unit.")), ...ROUTE_SIDES },
      { description: doc("The executed route; the quoted route before the execution.") },
    ),
  },
  { description: doc("The route of a request.") },
);

/** The route of a v3 record. */
export type Route = Received<Type.Static<typeof RouteSchema>>;
