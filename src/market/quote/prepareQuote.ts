import type { Hex } from "viem";

import { unixSeconds } from "@crosscall/sdk/internal/core/clock";
import type { Quote } from "@crosscall/sdk/internal/protocol/complete";
import type { Order } from "@crosscall/sdk/internal/protocol/order/order";
import { hashOrder } from "@crosscall/sdk/internal/protocol/order/orderId";
import type { Market } from "../market.ts";
import { refuseProblem } from "../refusal.ts";
import { buildDetails } from "./buildDetails.ts";
import { buildOrder } from "./buildOrder.ts";
import type { Price } from "./priceQuote.ts";
import { refuseSwapSources } from "./refuseSwapSources.ts";
import { slippageBpsOf } from "./requestTerms.ts";
import { deliversNative, type ResolvedQuote } from "./resolveQuote.ts";
import { priceRoute } from "./routes/priceRoute.ts";
import type { PricedRoute, QuoteIds } from "./routes/route.ts";

export interface PreparedQuote extends QuoteIds {
  readonly quote: ResolvedQuote;
  readonly route: PricedRoute;
  readonly slippageBps: bigint;
  /** Not part of the quote of a same-chain request; the store keeps every request's amounts in it. */
  readonly order: Order;
  readonly details: Quote["details"];
}

/**
 * @param requestId of a request that is quoted again; new if absent
 *
 * @throws {@link RefusalError} if it cannot be quoted
 */
export async function prepareQuote(
  market: Pick<Market, "clock" | "currencies" | "quoteTtlMs" | "randomWord" | "solver">,
  quote: ResolvedQuote,
  requestId: Hex = market.randomWord(),
): Promise<PreparedQuote> {
  const route = await priceRoute(market, quote);
  requireCallValue(quote, route.price);
  const order = buildOrder({
    quote,
    price: route.price,
    solver: market.solver.address,
    salt: market.randomWord(),
    deadline: unixSeconds(market.clock) + market.quoteTtlMs / 1_000,
  });
  const orderId = route.sameChainRouter === undefined ? hashOrder(order) : requestId;
  const slippageBps = slippageBpsOf(quote.request);
  const details = buildDetails({ ...route, quote, slippageBps });
  refuseSwapSources(quote.request, details.route);
  return { quote, route, slippageBps, requestId, orderId, order, details };
}

/** With native output, the calls are paid from it. */
function requireCallValue(quote: ResolvedQuote, { minimumOutput }: Price): void {
  const { callValue } = quote;
  if (!deliversNative(quote) || callValue <= minimumOutput) return;
  throw refuseProblem({
    errorCode: "INVALID_EXTRA_TXS",
    field: "txs",
    value: callValue.toString(),
    reason: `the values of the calls exceed the minimum output of ${minimumOutput} wei`,
    hint: "Lower the values, send more, or use EXACT_OUTPUT.",
  });
}
