import { chainFamilyOf } from "../chains/families/chainFamilyOf.ts";
import { parseAmount } from "../core/amounts.ts";
import { InvalidInputError, MalformedDataError } from "../core/errors.ts";
import type { Quote } from "./quote.ts";

/**
 * The least that a quote delivers, in the smallest unit of its output currency: the lower one of what its details say and
 * of what its order holds the solver to, where the order pays in that currency.
 *
 * @throws {@link MalformedDataError} when the quote states no such amount
 */
export function minimumOutput({ details, protocol }: Pick<Quote, "details" | "protocol">): bigint {
  const { currency, amount, minimumAmount } = details.currencyOut;
  const stated = readAmount(minimumAmount ?? amount, "details.currencyOut.minimumAmount");
  const { isSame } = chainFamilyOf(currency.chainId);
  const payments = protocol?.v2.orderData.output.payments ?? [];
  const owed = payments.filter((payment) => isSame(payment.currency, currency.address));
  if (owed.length === 0) return stated;
  const held = owed.reduce((sum, payment) => sum + BigInt(payment.minimumAmount), 0n);
  return held < stated ? held : stated;
}

/**
 * Reads an amount of a quote.
 *
 * @throws {@link MalformedDataError} when it is none
 */
export function readAmount(text: string, path: string): bigint {
  try {
    return parseAmount(text, path);
  } catch (cause) {
    if (!(cause instanceof InvalidInputError)) throw cause;
    throw new MalformedDataError({ what: "the quote", path, reason: cause.reason, cause });
  }
}
