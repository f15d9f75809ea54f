import { isSameAddressOf } from "../chains/families/chainFamilyOf.ts";
import { parseAmount } from "../encoding/amounts.ts";
import type { Quote } from "./quote.ts";
import { QUOTE, readField } from "./readField.ts";
import { requireField } from "../schema/readResponse.ts";

/**
 * Returns the minimum output of a quote in the smallest unit of its output currency: the lower of the details' minimum
 * and the order's minimum, if the order pays in that currency.
 *
 * @throws {@link MalformedDataError} when the quote has no such amount
 */
export function minimumOutput({ details, protocol }: Pick<Quote, "details" | "protocol">): bigint {
  const { currency, amount, minimumAmount } = requireField(details?.currencyOut, QUOTE, "details.currencyOut");
  const stated = readAmount(minimumAmount ?? amount, "details.currencyOut.minimumAmount");
  const payments = protocol?.v2?.orderData?.output?.payments ?? [];
  if (payments.length === 0) return stated;
  const chainId = requireField(currency?.chainId, QUOTE, "details.currencyOut.currency.chainId");
  const address = requireField(currency?.address, QUOTE, "details.currencyOut.currency.address");
  const at = "protocol.v2.orderData.output.payments";
  const owed = payments.flatMap((payment, index) =>
    isSameAddressOf(chainId, requireField(payment.currency, QUOTE, `${at}[${index}].currency`), address)
      ? [readAmount(payment.minimumAmount, `${at}[${index}].minimumAmount`)]
      : [],
  );
  if (owed.length === 0) return stated;
  const held = owed.reduce((sum, minimum) => sum + minimum, 0n);
  return held < stated ? held : stated;
}

/** Returns the input amount in its smallest unit. */
export function quotedInput({ details }: Pick<Quote, "details">): bigint {
  return readAmount(details?.currencyIn?.amount, "details.currencyIn.amount");
}

function readAmount(text: string | null | undefined, path: string): bigint {
  return readField(requireField(text, QUOTE, path), path, parseAmount);
}
