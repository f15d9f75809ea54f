import { mapFees } from "@crosscall/protocol/fees";
import type { FailReason } from "@crosscall/protocol/request";
import { insertDepositAddress } from "../../store/depositAddresses.ts";
import { insertPermit, type StoredPermit } from "../../store/permits.ts";
import {
  insertRequest,
  type NewOrder,
  type NewRequest,
  replaceOrder,
  type StoredFees,
} from "../../store/requests/requests.ts";
import type { StoredRevenueShare } from "../../store/revenueShares.ts";
import type { Database } from "../../store/schema.ts";
import { formatUsd, usdValue } from "../currencies.ts";
import type { AddressWatcher, DatabaseUser, Timed } from "../market.ts";
import { isSimulated } from "../quotedChains.ts";
import { featuresOf, requestTypeOf } from "../requestKind.ts";
import { isSponsored } from "./buildDetails.ts";
import type { PreparedQuote } from "./prepareQuote.ts";
import type { Price } from "./priceQuote.ts";
import { sponsorshipOf, termsOf } from "./requestTerms.ts";
import type { ResolvedQuote } from "./resolveQuote.ts";

export interface RequestOrigin {
  readonly apiKeyHash: string | null;
  readonly depositAddress: string | null;
  readonly revenueShare: StoredRevenueShare | undefined;
}

export interface QuoteOrigin extends RequestOrigin {
  /** Permit to sign instead of a deposit. */
  readonly permit: StoredPermit | undefined;
}

export interface ChildOrigin extends RequestOrigin {
  readonly parentRequestId: string;
  /** Reason why the request will not be filled; null if it can be filled. */
  readonly failReason: FailReason | null;
}

export async function storeQuote(
  market: Timed & DatabaseUser & AddressWatcher,
  prepared: PreparedQuote,
  { permit, ...origin }: QuoteOrigin,
): Promise<void> {
  const { requestId, quote } = prepared;
  const row = toRow(market, prepared, { ...origin, parentRequestId: null, failReason: null });
  const order = toOrder(market, prepared, origin.revenueShare);
  if (permit === undefined && origin.depositAddress === null) return insertRequest(market.store.db, row, order);
  await market.store.db.transaction().execute(async (db) => {
    await insertRequest(db, row, order);
    if (permit !== undefined) await insertPermit(db, requestId, permit);
    if (origin.depositAddress === null) return;
    // A ledger reports payments itself.
    const watchedMs = isSimulated(quote.origin) ? 0 : market.depositAddressTtlMs;
    const watchedUntil = new Date(market.clock.now() + watchedMs);
    await insertDepositAddress(db, {
      address: origin.depositAddress,
      requestId,
      request: quote.request,
      watchedUntil,
    });
  });
}

export async function storeChild(
  market: Timed,
  db: Database,
  prepared: PreparedQuote,
  origin: ChildOrigin,
): Promise<void> {
  await insertRequest(db, toRow(market, prepared, origin), toOrder(market, prepared, origin.revenueShare));
}

export async function storeRequote(
  market: Timed,
  db: Database,
  prepared: PreparedQuote,
  revenueShare: StoredRevenueShare | undefined,
): Promise<void> {
  const { requestId, orderId, quote, details } = prepared;
  const row = {
    order_id: orderId,
    request_type: requestTypeOf(quote),
    origin_chain_id: quote.origin.id,
    origin_currency: quote.input.currency.address,
    origin_symbol: quote.input.currency.symbol,
    amount_usd: details.currencyIn.amountUsd,
    app_fees_usd: formatUsd(prepared.route.price.fees.app),
  };
  await replaceOrder(db, requestId, row, toOrder(market, prepared, revenueShare));
}

function toRow(
  market: Timed,
  { quote, route: { price }, requestId, orderId, details }: PreparedQuote,
  origin: Omit<ChildOrigin, "parentRequestId"> & { readonly parentRequestId: string | null },
): NewRequest {
  const { request, input, output } = quote;
  const now = new Date(market.clock.now());
  const isToAddress = origin.depositAddress !== null;
  return {
    id: requestId,
    order_id: orderId,
    status: "waiting",
    user: quote.user,
    recipient: quote.recipient,
    // An exchange may be the payer, so without `refundTo` the recipient of a refund is unknown.
    refund_to: isToAddress ? (request.refundTo ?? null) : quote.refundTo,
    request_type: requestTypeOf(quote),
    origin_chain_id: quote.origin.id,
    destination_chain_id: quote.destination.id,
    origin_currency: input.currency.address,
    destination_currency: output.currency.address,
    referrer: request.referrer ?? null,
    fail_reason: origin.failReason,
    refund_fail_reason: null,
    api_key_hash: origin.apiKeyHash,
    origin_symbol: input.currency.symbol,
    input_count: quote.offers?.length ?? 1,
    destination_symbol: output.currency.symbol,
    amount_usd: details.currencyIn.amountUsd,
    app_fees_usd: formatUsd(price.fees.app),
    features: featuresOf(request),
    deposit_address: origin.depositAddress,
    deposit_address_type: isToAddress ? (request.strict === true ? "strict" : "open") : null,
    parent_request_id: origin.parentRequestId,
    created_at: now,
    updated_at: now,
  };
}

function toOrder(
  market: Timed,
  { quote, route: { price }, slippageBps, order, details }: PreparedQuote,
  revenueShare: StoredRevenueShare | undefined,
): NewOrder {
  const { tradeType, appFees = [] } = quote.request;
  return {
    trade_type: tradeType,
    input_amount: price.inputAmount,
    minimum_output_amount: price.minimumOutput,
    expected_output_amount: price.expectedOutput,
    slippage_tolerance_bps: Number(slippageBps),
    order_data: JSON.stringify(order),
    details: JSON.stringify(details),
    fees: JSON.stringify({ ...toStoredFees(quote, price), revenueShare }),
    app_fees: JSON.stringify(appFees.map(({ recipient, fee }) => ({ recipient, bps: fee }))),
    terms: JSON.stringify(termsOf(market.clock, quote, price)),
  };
}

function toStoredFees(quote: ResolvedQuote, price: Price): StoredFees {
  return {
    ...mapFees(price.fees, String),
    ...(price.passThroughUsdE18 === 0n ? {} : { passThrough: price.passThroughUsdE18.toString() }),
    ...(price.originGasUsdE18 === 0n ? {} : { originGas: price.originGasUsdE18.toString() }),
    ...(price.fixedRateUsdE18 === undefined ? {} : { fixedRate: price.fixedRateUsdE18.toString() }),
    ...(price.originSwap === undefined ? {} : { originSwap: price.originSwap.lossUsdE18.toString() }),
    ...(price.rent === undefined || price.rent === 0n
      ? {}
      : { rent: usdValue(price.rent, quote.destinationNative).toString() }),
    ...(price.gasTopup === undefined ? {} : { gasTopup: usdValue(price.gasTopup, quote.destinationNative).toString() }),
    ...(isSponsored(quote) ? { sponsorship: sponsorshipOf(quote.request) } : {}),
  };
}
