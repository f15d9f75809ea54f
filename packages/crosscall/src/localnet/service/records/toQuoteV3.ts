import type { Quote, QuoteV3, StepV3 } from "@crosscall/protocol/complete";
import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import { isObject } from "@crosscall/protocol/schema";
import type { CreatedQuote } from "../../market/quote/createQuote.ts";
import type { Pricer } from "../../market/market.ts";
import { toFeeCurrency, toFeePhase, toSponsorshipPhase } from "./feeRecords.ts";

/** Converts a quote to the format of `POST /quote/v3`. */
export function toQuoteV3(
  { currencies }: Pricer,
  request: QuoteRequest,
  { quote, requestId, fees, isSponsored }: CreatedQuote,
): QuoteV3 {
  const { details, protocol } = quote;
  const { chainId, address } = details.currencyIn.currency;
  const input = toFeeCurrency(currencies.require(chainId, address));
  const cap = request.maxSubsidizationAmount ?? null;
  return {
    requestId,
    steps: toStepsV3(quote, request),
    fees: { quoted: toFeePhase(fees, input), currency: input.currency },
    feeSponsorship: isSponsored ? { quoted: toSponsorshipPhase(fees, cap, input), currency: input.currency } : null,
    details,
    ...(protocol === undefined ? {} : { protocol }),
  };
}

function toStepsV3({ steps, details }: Quote, request: QuoteRequest): StepV3[] {
  return steps.flatMap(({ items, requestId: _, depositAddress, ...step }) =>
    items.map(({ data, ...item }) => ({
      ...step,
      ...item,
      ...(data === undefined ? {} : { data: toData(data, details.sender) }),
      ...(depositAddress === undefined || depositAddress === ""
        ? {}
        : { depositAddress: toDepositAddress(depositAddress, request) }),
    })),
  );
}

/**
 * Converts the data of a step. Omits the sender, which is in the details, and posts permits to version 2 of their
 * endpoint.
 */
function toData({ from, post, ...data }: Record<string, unknown>, sender: string): Record<string, unknown> {
  return {
    ...data,
    ...(from === undefined || from === sender ? {} : { from }),
    ...(isObject(post) ? { post: toPost(post) } : {}),
  };
}

function toPost(post: Readonly<Record<string, unknown>>): object {
  const { endpoint, body } = post;
  if (endpoint !== "/execute/permits" || !isObject(body)) return post;
  const { api: _, ...rest } = body;
  return { ...post, endpoint: "/execute/permits/v2", body: rest };
}

function toDepositAddress(
  address: string,
  { strict, recoveryAddress }: QuoteRequest,
): NonNullable<StepV3["depositAddress"]> {
  return {
    address,
    type: strict === true ? "strict" : "open",
    depositor: null,
    depositTxHash: null,
    recoveryAddress: recoveryAddress ?? null,
  };
}
