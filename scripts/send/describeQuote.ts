import { formatFeeTable } from "../../src/protocol/formatFeeTable.ts";
import { type Amount, formatCurrencyAmount } from "../../src/protocol/currency.ts";
import type { Quote } from "../../src/protocol/quote.ts";
import { quoteFeeTable } from "../../src/protocol/quoteFeeTable.ts";
import { isPresent } from "../../src/protocol/readResponse.ts";
import { requestIdOf } from "../../src/client/executeSteps/planSteps.ts";

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
