import { exchangeAssetOf, namesRequest, type PlannedExchangeAction } from "@crosscall/protocol/quote/rules";
import { isPresent } from "@crosscall/protocol/schema";
import type { ReportDraft } from "./quoteReport.ts";
import type { QuoteTerms } from "./terms.ts";
import { isTrusted } from "./trust.ts";
import type { OrderTerms } from "./verifyOrder.ts";
import type { ItemEffect } from "./transactionParts.ts";

/** 10 USDC, in the smallest unit. */
const EXCHANGE_FEE_MAX = 10_000_000;

/** Checks a transfer on the exchange chain (spec 2, section 6). */
export function verifyExchangeAction(
  draft: ReportDraft,
  { request, origin, inputAmount, requestId }: QuoteTerms,
  order: OrderTerms | undefined,
  { action }: PlannedExchangeAction,
  path: string,
): ItemEffect {
  const { toAccountIndex, assetIndex, amount, usdcFee, memo } = action.parameters;
  const at = `${path}.action.parameters`;
  const accounts = origin?.depositories ?? [];
  const check = (name: string, isMet: boolean, expected: unknown, seen: unknown): void => {
    draft.check("EXCHANGE_TRANSFER", `${at}.${name}`, isMet, expected, seen);
  };
  check("toAccountIndex", isTrusted(accounts, String(toAccountIndex)), accounts, toAccountIndex);
  const asset = exchangeAssetOf(request.originCurrency);
  check("assetIndex", String(assetIndex) === asset, asset, assetIndex);
  check("amount", BigInt(amount) === inputAmount, inputAmount, amount);
  check("usdcFee", usdcFee <= EXCHANGE_FEE_MAX, `at most ${EXCHANGE_FEE_MAX}`, usdcFee);
  const ids = [order?.orderId, requestId].filter(isPresent);
  check("memo", namesRequest(memo, ids), ids, memo);
  return {
    effect: [`transfers ${amount} of asset ${assetIndex} to account ${toAccountIndex}`],
    isBound: true,
    isPayment: true,
  };
}
