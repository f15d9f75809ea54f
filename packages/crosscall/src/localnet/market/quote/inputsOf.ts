import { mulDivUp } from "@crosscall/protocol/encoding";
import { usdValue } from "../currencies.ts";
import { rejectProblem } from "../rejection.ts";
import type { Price } from "./priceQuote.ts";
import type { QuotedInput, ResolvedQuote } from "./resolveQuote.ts";

/**
 * Returns the deposits that a priced quote requires. With several inputs, an exact input takes them as offered. An exact
 * output takes the same share of each.
 *
 * @throws {@link RejectionError} if the inputs are worth less than the output requires
 */
export function inputsOf(
  quote: ResolvedQuote,
  { inputAmount, originSwap }: Pick<Price, "inputAmount" | "originSwap">,
): readonly QuotedInput[] {
  const { origin, input, user, refundTo, offers, request } = quote;
  if (originSwap !== undefined) {
    return [{ origin, input: originSwap.holding, user, refundTo, amount: originSwap.depositAmount }];
  }
  if (offers === undefined) return [{ origin, input, user, refundTo, amount: inputAmount }];
  if (request.tradeType === "EXACT_INPUT") return offers;
  const [wanted, offered] = [usdValue(inputAmount, input), sumUsd(offers)];
  if (wanted > offered) {
    throw rejectProblem({
      errorCode: "AMOUNT_TOO_LOW",
      field: "origins",
      value: offers.map(({ amount }) => amount.toString()),
      reason: "are worth less than the output and its fees",
      hint: "Use larger amounts, or a smaller output.",
    });
  }
  return offers.map((offer) => ({ ...offer, amount: mulDivUp(offer.amount, wanted, offered) }));
}

/** Returns the value of the inputs in US dollars, scaled by 10^18. */
export function sumUsd(inputs: readonly Pick<QuotedInput, "input" | "amount">[]): bigint {
  return inputs.reduce((sum, { input, amount }) => sum + usdValue(amount, input), 0n);
}
