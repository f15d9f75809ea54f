import { formatFeeTable } from "@crosscall/sdk/internal/protocol/fees/formatFeeTable";
import { type Amount, formatCurrencyAmount } from "@crosscall/sdk/internal/protocol/common/currency";
import type { Quote } from "@crosscall/sdk/internal/protocol/quote/quote";
import { quoteFeeTable } from "@crosscall/sdk/internal/protocol/quote/quoteFeeTable";
import { isPresent } from "@crosscall/sdk/internal/protocol/schema/readResponse";
import { requestIdOf } from "@crosscall/sdk/internal/client/executeSteps/planSteps";

/** A quote for people, before it is paid: who pays what, what arrives, and the fees. */
export function describeQuote(quote: Quote): string {
  const { currencyIn, currencyOut, sender, recipient } = quote.details ?? {};
  return [
    `request    ${requestIdOf(quote)}`,
    `pays       ${describeSide(currencyIn)}, from ${sender ?? "an account that is not stated"}`,
    `gets       ${describeSide(currencyOut)}, to ${recipient ?? "an account that is not stated"}`,
    `steps      ${(quote.steps ?? []).map(({ id }) => id ?? "unnamed").join(", ")}`,
    "",
    formatFeeTable(quoteFeeTable(quote)),
    "",
  ].join("\n");
}

function describeSide(stated: Amount | null | undefined): string {
  const currency = stated?.currency ?? {};
  const amount = isPresent(stated?.amount) ? formatCurrencyAmount(BigInt(stated.amount), currency) : "not stated";
  return `${amount} on chain ${currency.chainId ?? "not stated"}`;
}
