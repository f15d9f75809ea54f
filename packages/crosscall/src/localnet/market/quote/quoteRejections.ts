import { isSameAddress } from "@crosscall/protocol/chains";
import { BPS_PER_WHOLE } from "@crosscall/protocol/encoding";
import type { QuoteRoute, RouteSide } from "@crosscall/protocol/complete";
import type { QuoteProblem } from "@crosscall/protocol/quote";
import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import type { PricedCurrency } from "../currencies.ts";
import { type RejectionError, rejectProblem } from "../rejection.ts";

/** Maximum loss of a quoted swap, in bps. */
const MAXIMUM_IMPACT_BPS = 1_000n;

export function rejectLowAmount({ amount }: QuoteRequest): RejectionError {
  return rejectProblem({
    errorCode: "AMOUNT_TOO_LOW",
    field: "amount",
    value: amount,
    reason: "is worth less than the fees",
    hint: "Use a larger amount.",
  });
}

/**
 * @param lossUsdE18 loss in US dollars, scaled by 10^18, like the input
 *
 * @throws {@link RejectionError} if the loss is too high
 */
export function requireLowImpact(
  { amount }: QuoteRequest,
  { currency }: PricedCurrency,
  lossUsdE18: bigint,
  inputUsdE18: bigint,
): void {
  if (lossUsdE18 * BPS_PER_WHOLE <= inputUsdE18 * MAXIMUM_IMPACT_BPS) return;
  throw rejectProblem({
    errorCode: "SWAP_IMPACT_TOO_HIGH",
    field: "amount",
    value: amount,
    reason: `the swap to ${currency.symbol} would lose more than ${MAXIMUM_IMPACT_BPS} bps of its input`,
    hint: "Use a smaller amount.",
  });
}

export function rejectSwap(
  kind: "no-route" | "no-liquidity",
  { currency }: PricedCurrency,
  noRouteCode: Extract<QuoteProblem["errorCode"], "NO_SWAP_ROUTES_FOUND" | "NO_INTERNAL_SWAP_ROUTES_FOUND">,
  name: "originCurrency" | "destinationCurrency" = "destinationCurrency",
): RejectionError {
  const field = { field: name, value: currency.address };
  return rejectProblem(
    kind === "no-liquidity"
      ? {
          errorCode: "INSUFFICIENT_LIQUIDITY",
          ...field,
          reason: `the pools do not hold enough ${currency.symbol}`,
          hint: "Use a smaller amount, or an amount large enough for a swap.",
        }
      : {
          errorCode: noRouteCode,
          ...field,
          reason: `no pools on chain ${currency.chainId} ${name === "originCurrency" ? "start at" : "lead to"} ${currency.symbol}`,
          hint: "Choose another currency.",
        },
  );
}

/** Returns the sources of the swap, or undefined if this side does not swap. */
export function swapSourceOf(side: RouteSide | null | undefined): string | undefined {
  if (side == null) return undefined;
  const { inputCurrency, outputCurrency, router } = side;
  return isSameAddress(inputCurrency.currency.address, outputCurrency.currency.address) ? undefined : router;
}

/** Returns whether a request allows a swap source on a side. */
export function allowsSwapSource(request: QuoteRequest, side: "origin" | "destination", source: string): boolean {
  const ofSide = side === "origin" ? request.includedOriginSwapSources : request.includedDestinationSwapSources;
  const { includedSwapSources, excludedSwapSources } = request;
  return (
    [ofSide, includedSwapSources].every((included) => included?.includes(source) !== false) &&
    excludedSwapSources?.includes(source) !== true
  );
}

/** @throws {@link RejectionError} naming the field that excludes the swap */
export function rejectSwapSources(request: QuoteRequest, { origin, destination }: QuoteRoute): void {
  const { includedSwapSources, excludedSwapSources, disableOriginSwaps } = request;
  const onOrigin = swapSourceOf(origin);
  if (onOrigin !== undefined && disableOriginSwaps === true) refuse("disableOriginSwaps", true, onOrigin);
  const sides = [
    ["includedOriginSwapSources", request.includedOriginSwapSources, onOrigin],
    ["includedDestinationSwapSources", request.includedDestinationSwapSources, swapSourceOf(destination)],
  ] as const;
  for (const [field, included, source] of sides) {
    if (source === undefined) continue;
    if (included?.includes(source) === false) refuse(field, included, source);
    if (includedSwapSources?.includes(source) === false) refuse("includedSwapSources", includedSwapSources, source);
    if (excludedSwapSources?.includes(source) === true) refuse("excludedSwapSources", excludedSwapSources, source);
  }
}

function refuse(field: keyof QuoteRequest, value: unknown, source: string): never {
  throw rejectProblem({
    errorCode: "NO_SWAP_ROUTES_FOUND",
    field,
    value,
    reason: `the swap needs ${source}`,
    hint: `Allow ${source}, or choose currencies that need no swap.`,
  });
}
