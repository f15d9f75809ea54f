import { amountWorth, type PricedCurrency, USD_ONE, usdValue } from "../../market/currencies.ts";
import { amountObject, rateOf } from "../../market/quote/buildDetails.ts";
import type { RequestRow } from "../../store/requests/requests.ts";

/** `data.quoteOraclePrice` (spec 1, section 2.2): the input at the prices of this network, before fees. */
export function toOraclePrice(
  { record_fields, input_amount, created_at }: RequestRow,
  input: PricedCurrency,
  output: PricedCurrency,
) {
  if (record_fields?.usesOraclePrice !== true) return null;
  const amount = BigInt(input_amount);
  const unit = amountWorth(USD_ONE, input);
  return {
    rate: rateOf(unit, input, amountWorth(usdValue(unit, input), output), output),
    observedAt: created_at.toISOString(),
    inputCurrency: amountObject(amount, input, amount),
    outputCurrency: amountObject(amountWorth(usdValue(amount, input), output), output),
  };
}
