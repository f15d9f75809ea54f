import type { Hex } from "viem";

import type { Quote } from "@crosscall/protocol/complete";
import type { QuoteRequest, SponsoredFees } from "@crosscall/protocol/quote/rules";
import { findSponsorBalance } from "../../store/sponsors.ts";
import { depositAccount } from "../../devchain/accounts.ts";
import type { DatabaseUser, LedgerUser, Market, Payer } from "../market.ts";
import { depositoryOf } from "../quotedChains.ts";
import { rejectIf, rejectProblem } from "../rejection.ts";
import { revenueShareOf } from "../revenueShareOf.ts";
import { buildFees, isSponsored, writtenFees } from "./buildDetails.ts";
import { findDepositAddressProblem } from "./findDepositAddressProblem.ts";
import { findRecoveryProblem } from "./findTermsProblem.ts";
import { quotePermit } from "./permitSteps.ts";
import { type PreparedQuote, prepareQuote } from "./prepareQuote.ts";
import { type QuotedInput, type ResolvedQuote, resolveQuote } from "./resolveQuote.ts";
import { findRestriction, readRestrictions } from "./restrictions.ts";
import { storeQuote } from "./storeQuote.ts";

export interface CreatedQuote {
  /** The quote in the format of `POST /quote/v2`. */
  readonly quote: Quote;
  readonly requestId: Hex;
  /** Fees as written in the quote, in US dollars, scaled by 10^18. */
  readonly fees: SponsoredFees;
  readonly isSponsored: boolean;
}

/**
 * Prices a quote request and stores the request.
 *
 * @param apiKeyHash hash of the caller's API key, or null
 * @param offers inputs, if there are several
 * @throws {@link RejectionError} if it cannot be quoted; nothing is stored then
 */
export async function createQuote(
  market: Market,
  request: QuoteRequest,
  apiKeyHash: string | null,
  offers?: readonly QuotedInput[],
): Promise<CreatedQuote> {
  rejectIf(findDepositAddressProblem(request));
  const restrictions = await readRestrictions(market);
  for (const { origin, input, user } of offers ?? []) {
    const change = { originChainId: origin.id, originCurrency: input.currency.address, user };
    rejectIf(findRestriction(restrictions, { ...request, ...change }));
  }
  rejectIf(findRestriction(restrictions, request));
  const quote = resolveQuote(market, request, offers);
  rejectIf(findRecoveryProblem(quote));
  await requireSponsor(market, request, apiKeyHash);
  const prepared = await prepareQuote(market, quote);
  const { route, requestId, details } = prepared;
  const permitQuote = await quotePermit(market, prepared);
  const steps = permitQuote?.steps ?? (await route.buildSteps(prepared));
  const protocol = route.sameChainRouter === undefined ? await protocolOf(market, prepared) : undefined;
  const depositAddress = request.useDepositAddress === true ? depositAddressOf(market, quote, requestId) : null;
  const revenueShare = await revenueShareOf(market, prepared, apiKeyHash);
  await storeQuote(market, prepared, { apiKeyHash, depositAddress, revenueShare, permit: permitQuote?.permit });
  const priced = { quote, price: route.price };
  const fees = buildFees(priced, route.originGas);
  return {
    quote: { steps, fees, details, ...(protocol === undefined ? {} : { protocol }) },
    requestId,
    fees: writtenFees(priced),
    isSponsored: isSponsored(quote),
  };
}

function depositAddressOf({ ledgers }: LedgerUser, { origin }: ResolvedQuote, requestId: Hex): string {
  return ledgers.get(origin.id)?.depositAddress?.(requestId) ?? depositAccount(requestId).address;
}

/** Adds the solver's signature of the orderId, if requested. */
async function protocolOf(
  { solver }: Payer,
  { quote, route, order, orderId }: PreparedQuote,
): Promise<NonNullable<Quote["protocol"]>> {
  const isSigned = quote.request.includeProtocolData === true;
  const { inputAmount, originSwap } = route.price;
  return {
    v2: {
      orderId,
      hubType: "onchain",
      ...(isSigned ? { orderSignature: await solver.signMessage({ message: { raw: orderId } }) } : {}),
      orderData: order,
      paymentDetails: {
        chainId: quote.origin.protocolChainId,
        depository: depositoryOf(quote.origin),
        currency: (originSwap?.holding ?? quote.input).currency.address,
        amount: (originSwap?.depositAmount ?? inputAmount).toString(),
      },
    },
  };
}

/**
 * Finds the sponsor of a request (spec 2, section 9.3).
 *
 * @throws {@link RejectionError} if sponsorship is requested without an API key that allows it
 */
async function requireSponsor(market: DatabaseUser, request: QuoteRequest, apiKeyHash: string | null): Promise<void> {
  const field = sponsoredFieldOf(request);
  if (field === undefined) return;
  const balance = apiKeyHash === null ? undefined : await findSponsorBalance(market.store.db, apiKeyHash);
  if (balance !== undefined) return;
  throw rejectProblem({
    errorCode: "FORBIDDEN",
    field,
    value: request[field],
    reason: "requires an API key that may sponsor fees",
    hint: `Send such a key in the x-api-key header, or omit ${field}.`,
  });
}

/** Returns the first field of a request that requires a sponsor. */
export function sponsoredFieldOf(request: QuoteRequest): keyof QuoteRequest | undefined {
  return (["subsidizeFees", "sponsoredFeeComponents", "fixedRate"] as const).find(
    (name) => request[name] !== undefined && request[name] !== false,
  );
}
