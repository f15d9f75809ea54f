import { isSameAddress } from "@crosscall/protocol/chains";
import type { QuoteRoute, RouteSide } from "@crosscall/protocol/complete";
import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import { refuseProblem } from "../refusal.ts";

/** Undefined if this side does not swap. */
export function swapSourceOf(side: RouteSide | null | undefined): string | undefined {
  if (side == null) return undefined;
  const { inputCurrency, outputCurrency, router } = side;
  return isSameAddress(inputCurrency.currency.address, outputCurrency.currency.address) ? undefined : router;
}

/** @throws {@link RefusalError} naming the field that excludes the swap */
export function refuseSwapSources(request: QuoteRequest, { origin, destination }: QuoteRoute): void {
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
  throw refuseProblem({
    errorCode: "NO_SWAP_ROUTES_FOUND",
    field,
    value,
    reason: `the only route uses ${source}`,
    hint: `Allow ${source}, or choose currencies that need no swap.`,
  });
}
