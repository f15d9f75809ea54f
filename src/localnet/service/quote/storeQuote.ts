import type { Hex } from "viem";

import { mapFees } from "../../../protocol/feeComponents.ts";
import type { Order } from "../../../protocol/order.ts";
import type { Quote } from "../../../protocol/quote.ts";
import type { QuoteRequest } from "../../../protocol/quoteRequest.ts";
import type { SponsorshipRequest } from "../../../protocol/quoteSponsorshipRules.ts";
import { insertRequest } from "../../../store/requests.ts";
import type { NewRequest, StoredFees } from "../../../store/schema.ts";
import type { ServiceContext } from "../../context.ts";
import { formatUsd } from "../../currencies.ts";
import type { Caller } from "../../keys/keyRing.ts";
import { isSponsored } from "./buildDetails.ts";
import type { Price } from "./priceQuote.ts";
import { featuresOf, requestTypeOf } from "./requestKind.ts";
import type { ResolvedQuote } from "./resolveQuote.ts";

/** A quote as it is answered and stored. */
export interface QuotedRequest {
  readonly quote: ResolvedQuote;
  readonly price: Price;
  readonly slippageBps: bigint;
  readonly requestId: Hex;
  readonly orderId: Hex;
  readonly order: Order;
  readonly details: Quote["details"];
  readonly caller: Caller | undefined;
}

/** Stores the request that a quote makes. */
export async function storeQuote(context: ServiceContext, quoted: QuotedRequest): Promise<void> {
  const { quote, price, details, order, caller } = quoted;
  const { request, input, output } = quote;
  const now = new Date(context.clock.now());
  const row: NewRequest = {
    id: quoted.requestId,
    order_id: quoted.orderId,
    status: "waiting",
    user: quote.user,
    recipient: quote.recipient,
    refund_to: quote.refundTo,
    request_type: requestTypeOf(quote),
    origin_chain_id: quote.origin.id,
    destination_chain_id: quote.destination.id,
    origin_currency: input.currency.address,
    destination_currency: output.currency.address,
    referrer: request.referrer ?? null,
    fail_reason: null,
    refund_fail_reason: null,
    api_key_hash: caller?.keyHash ?? null,
    origin_symbol: input.currency.symbol,
    destination_symbol: output.currency.symbol,
    amount_usd: details.currencyIn.amountUsd,
    app_fees_usd: formatUsd(price.fees.app),
    features: featuresOf(request),
    created_at: now,
    updated_at: now,
  };
  await insertRequest(context.store.db, row, {
    trade_type: request.tradeType,
    input_amount: price.inputAmount,
    minimum_output_amount: price.minimumOutput,
    expected_output_amount: price.expectedOutput,
    slippage_tolerance_bps: Number(quoted.slippageBps),
    order_data: JSON.stringify(order),
    details: JSON.stringify(details),
    fees: JSON.stringify(toStoredFees(quote, price)),
    app_fees: JSON.stringify((request.appFees ?? []).map(({ recipient, fee }) => ({ recipient, bps: fee }))),
  });
}

function toStoredFees(quote: ResolvedQuote, price: Price): StoredFees {
  return {
    ...mapFees(price.fees, String),
    ...(price.passThroughUsdE18 === 0n ? {} : { passThrough: price.passThroughUsdE18.toString() }),
    ...(isSponsored(quote) ? { sponsorship: sponsorshipOf(quote.request) } : {}),
  };
}

function sponsorshipOf(request: QuoteRequest): SponsorshipRequest {
  const { subsidizeFees, sponsoredFeeComponents, maxSubsidizationAmount, useDepositAddress } = request;
  return {
    ...(subsidizeFees === undefined ? {} : { subsidizeFees }),
    ...(sponsoredFeeComponents === undefined ? {} : { sponsoredFeeComponents }),
    ...(maxSubsidizationAmount === undefined ? {} : { maxSubsidizationAmount }),
    ...(useDepositAddress === undefined ? {} : { useDepositAddress }),
  };
}
