import { type Hex, maxUint256 } from "viem";

import type { Quote } from "@crosscall/protocol/complete";
import { hashOrder, type Order } from "@crosscall/protocol/order";
import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import { latestTime } from "../../devchain/chainTime.ts";
import type { DevChain } from "../../devchain/devChain.ts";
import type {
  DatabaseUser,
  LedgerUser,
  Payer,
  Pricer,
  QuoteIssuer,
  RandomSource,
  Rebalancer,
  Timed,
} from "../market.ts";
import { isSimulated } from "../quotedChains.ts";
import { rejectIf, rejectProblem } from "../rejection.ts";
import { findAuthorizationProblem } from "./authorizations.ts";
import { buildDetails } from "./buildDetails.ts";
import { buildOrder } from "./buildOrder.ts";
import { findTermsProblem } from "./findTermsProblem.ts";
import type { Price } from "./priceQuote.ts";
import { rejectSwapSources } from "./quoteRejections.ts";
import { slippageBpsOf } from "./requestTerms.ts";
import { deliversNative, type ResolvedQuote } from "./resolveQuote.ts";
import { priceRoute } from "./routes/priceRoute.ts";
import type { PricedRoute, QuoteIds, RouteMarket } from "./routes/route.ts";

export interface PricedQuote {
  readonly quote: ResolvedQuote;
  readonly route: PricedRoute;
  readonly slippageBps: bigint;
  readonly details: Quote["details"];
}

export interface PreparedQuote extends PricedQuote, QuoteIds {
  /**
   * The order, which contains the amounts for the store. The quote of a same-chain request does not contain the order.
   */
  readonly order: Order;
}

/**
 * @param requestId id of a request to quote again; a new id by default
 *
 * @throws {@link RejectionError} if it cannot be quoted
 */
export async function prepareQuote(
  market: Timed & Pricer & Payer & DatabaseUser & RandomSource & QuoteIssuer & LedgerUser & Rebalancer,
  quote: ResolvedQuote,
  requestId: Hex = market.randomWord(),
): Promise<PreparedQuote> {
  rejectIf(await findAuthorizationProblem(quote));
  const priced = await priceDetails(market, quote);
  const { route } = priced;
  const chains = [...(quote.offers ?? [quote]).map(({ origin }) => origin), quote.destination].filter(
    (chain): chain is DevChain => !isSimulated(chain),
  );
  const order = buildOrder({
    quote,
    price: route.price,
    solver: market.solver.address,
    salt: market.randomWord(),
    deadline: (await latestTime(market.clock, chains)) + lifetimeOf(market, quote.request),
  });
  const orderId = route.sameChainRouter === undefined ? hashOrder(order) : requestId;
  return { ...priced, requestId, orderId, order };
}

/** @throws {@link RejectionError} if it cannot be quoted */
export async function priceDetails(market: RouteMarket, quote: ResolvedQuote): Promise<PricedQuote> {
  rejectIf(findTermsProblem(quote));
  const route = await priceRoute(market, quote);
  requireCallValue(quote, route.price);
  requireRange(quote, route.price);
  const slippageBps = slippageBpsOf(quote.request);
  const details = buildDetails({ ...route, quote, slippageBps });
  rejectSwapSources(quote.request, details.route);
  return { quote, route, slippageBps, details };
}

/** Lifetime of orders on the live service, which a request cannot change. */
const LIFETIME_MAX_SECONDS = 604_800;

/** Returns the lifetime of an order in seconds. A `ttl` can extend it beyond the network's default. */
function lifetimeOf({ quoteTtlMs }: QuoteIssuer, { ttl = 0 }: QuoteRequest): number {
  return Math.max(quoteTtlMs / 1_000, Math.min(ttl, LIFETIME_MAX_SECONDS));
}

/** Checks that the output covers the calls' values. With native output, the calls are paid from it. */
function requireCallValue(quote: ResolvedQuote, { minimumOutput }: Price): void {
  const { callValue } = quote;
  if (!deliversNative(quote) || callValue <= minimumOutput) return;
  throw rejectProblem({
    errorCode: "INVALID_EXTRA_TXS",
    field: "txs",
    value: callValue.toString(),
    reason: `the values of the calls exceed the minimum output of ${minimumOutput} wei`,
    hint: "Lower the values, send more, or use EXACT_OUTPUT.",
  });
}

/** @throws {@link RejectionError} if an amount exceeds the largest value that a contract can store */
function requireRange({ request }: ResolvedQuote, { inputAmount, expectedOutput }: Price): void {
  if (inputAmount <= maxUint256 && expectedOutput <= maxUint256) return;
  throw rejectProblem({
    errorCode: "INVALID_REQUEST",
    field: "amount",
    value: request.amount,
    reason: "the quote would exceed the largest amount that a contract can store",
    hint: "Use a smaller amount.",
  });
}
