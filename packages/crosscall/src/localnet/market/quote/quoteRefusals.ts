import { BPS_PER_WHOLE } from "@crosscall/protocol/encoding";
import type { QuoteProblem } from "@crosscall/protocol/quote";
import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import type { PricedCurrency } from "../currencies.ts";
import { refuseProblem, type RefusalError } from "../refusal.ts";

/** Maximum loss of a quoted swap, in bps. */
const MAXIMUM_IMPACT_BPS = 1_000n;

export function refuseLowAmount({ amount }: QuoteRequest): RefusalError {
  return refuseProblem({
    errorCode: "AMOUNT_TOO_LOW",
    field: "amount",
    value: amount,
    reason: "is worth less than the fees",
    hint: "Use a larger amount.",
  });
}

/**
 * @param lossUsdE18 loss in US dollars times 10^18; the input likewise
 *
 * @throws {@link RefusalError} if it is too high
 */
export function requireLowImpact(
  { amount }: QuoteRequest,
  { currency }: PricedCurrency,
  lossUsdE18: bigint,
  inputUsdE18: bigint,
): void {
  if (lossUsdE18 * BPS_PER_WHOLE <= inputUsdE18 * MAXIMUM_IMPACT_BPS) return;
  throw refuseProblem({
    errorCode: "SWAP_IMPACT_TOO_HIGH",
    field: "amount",
    value: amount,
    reason: `the swap to ${currency.symbol} would lose more than ${MAXIMUM_IMPACT_BPS} bps of its input`,
    hint: "Use a smaller amount.",
  });
}

export function refuseSwap(
  kind: "no-route" | "no-liquidity",
  { currency }: PricedCurrency,
  noRouteCode: Extract<QuoteProblem["errorCode"], "NO_SWAP_ROUTES_FOUND" | "NO_INTERNAL_SWAP_ROUTES_FOUND">,
): RefusalError {
  const field = { field: "destinationCurrency", value: currency.address };
  return refuseProblem(
    kind === "no-liquidity"
      ? {
          errorCode: "INSUFFICIENT_LIQUIDITY",
          ...field,
          reason: `the pools do not hold enough ${currency.symbol}`,
          hint: "Use a smaller amount, or one that is worth a swap.",
        }
      : {
          errorCode: noRouteCode,
          ...field,
          reason: `no pools of chain ${currency.chainId} lead to ${currency.symbol}`,
          hint: "Choose another currency.",
        },
  );
}
