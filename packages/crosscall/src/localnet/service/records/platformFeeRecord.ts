import { BPS_PER_WHOLE, formatAmount } from "@crosscall/protocol/encoding";
import { platformFee } from "@crosscall/protocol/fees";
import { amountWorth, formatUsd, type PricedCurrency, roundUsd } from "../../market/currencies.ts";
import { integratorFee } from "../../market/revenueShareOf.ts";
import type { RequestRow } from "../../store/requests/requests.ts";
import type { RequestFees } from "./feeRecords.ts";

/**
 * `data.platformFee`, for the integrator of the request: who gets which part. The live service does not document its
 * names of buckets and rules; here they are the type of the transaction.
 */
export function toPlatformFee(
  { fees }: Pick<RequestRow, "fees">,
  { quoted, actual }: RequestFees,
  input: PricedCurrency,
  output: PricedCurrency,
) {
  const { type, bps } = platformFee(input.currency, output.currency);
  const total = (actual ?? quoted).components.platform.totalUsdE18;
  const integrator = roundUsd(integratorFee(fees));
  const integratorFeeBps = (Number(bps) * Number(fees.revenueShare?.shareBps ?? 0)) / Number(BPS_PER_WHOLE);
  const toAmount = (usdE18: bigint) => {
    const amount = amountWorth(usdE18, input);
    return {
      currency: input.currency,
      amount: amount.toString(),
      amountFormatted: formatAmount(amount, input.currency.decimals),
      amountUsd: formatUsd(usdE18),
      minimumAmount: amount.toString(),
    };
  };
  return {
    bucket: type,
    ruleId: `local-${type}`,
    relayFeeBps: Number(bps) - integratorFeeBps,
    integratorFeeBps,
    totalFeeBps: Number(bps),
    relayFee: toAmount(total - integrator),
    integratorFee: toAmount(integrator),
    totalPlatformFee: toAmount(total),
    integratorFeeRecipient: fees.revenueShare?.wallet ?? null,
  };
}
