import { formatFeeTable } from "../../src/protocol/formatFeeTable.ts";
import type { Quote } from "../../src/protocol/quote.ts";
import { quoteFeeTable } from "../../src/protocol/quoteFeeTable.ts";
import { requestIdOf } from "../../src/client/executeSteps/planSteps.ts";

/** A quote for people, before it is paid: who pays what, what arrives, and the fees. */
export function describeQuote(quote: Quote): string {
  const { currencyIn, currencyOut, sender, recipient } = quote.details;
  return [
    `request    ${requestIdOf(quote)}`,
    `pays       ${currencyIn.amountFormatted} ${currencyIn.currency.symbol} on chain ${currencyIn.currency.chainId}, from ${sender}`,
    `gets       ${currencyOut.amountFormatted} ${currencyOut.currency.symbol} on chain ${currencyOut.currency.chainId}, to ${recipient}`,
    `steps      ${quote.steps.map(({ id }) => id).join(", ")}`,
    "",
    formatFeeTable(quoteFeeTable(quote)),
    "",
  ].join("\n");
}
