import { EXCHANGE_CHAIN_ID } from "../chains/chainIds.ts";
import { fromQuoteFees, mapFees, toQuoteFeeComponent } from "../fees/feeComponents.ts";
import { EXCHANGE_ACTIVATION_USD_E18 } from "./feeRules.ts";
import { buildFeeTable, type FeeTable, type StatedTotal } from "../fees/feeTable.ts";
import { minimumOutput } from "./minimumOutput.ts";
import type { Quote } from "./quote.ts";
import { isPresent, requireField } from "../schema/readResponse.ts";
import { parseUsd } from "../fees/usd.ts";

const QUOTE = "the quote";

export interface QuoteFeeTableOptions {
  /**
   * Whether the exchange chain's activation fee is due in addition to the quote's components. By default, it is due for
   * deposits to that chain if the total exceeds the components by exactly that fee. Active accounts do not pay this
   * fee, and a component can already include it.
   */
  readonly hasActivationFee?: boolean;
}

/**
 * Returns the fees of a quote as a table that adds up, from `details.expandedPriceImpact`: a negative impact is a cost
 * (spec 2, sections 2.1, 9.1 and 9.2). The total includes the sponsor's part. Totals in the quote that differ are in
 * `mismatches`. Components that the quote does not contain are omitted.
 *
 * @throws {@link MalformedDataError} when a component is missing, or an amount or a number of US dollars is invalid
 */
export function quoteFeeTable(quote: Quote, options: QuoteFeeTableOptions = {}): FeeTable {
  const { details, fees } = quote;
  const impact = requireField(details?.expandedPriceImpact, QUOTE, "details.expandedPriceImpact");
  const usdAt = (text: string | null | undefined, path: string): bigint =>
    parseUsd(requireField(text, QUOTE, path), QUOTE, path);
  const sponsored = usdAt(impact.sponsored?.usd ?? "0", "details.expandedPriceImpact.sponsored.usd");
  const currency = details?.currencyOut?.currency;
  const components = mapFees(
    fromQuoteFees({ swap: impact.swap, execution: impact.execution, relay: impact.relay, app: impact.app }),
    (component, name) => {
      const path = `details.expandedPriceImpact.${toQuoteFeeComponent(name)}.usd`;
      // The service omits the app component without an app fee.
      return component == null && name === "app" ? 0n : -usdAt(component?.usd, path);
    },
  );
  // A sponsored amount of either sign is not the user's cost.
  const sponsorPaysUsdE18 = sponsored < 0n ? -sponsored : sponsored;
  const stated = [...statedTotal(details), ...statedOutput(details)];
  const parts = {
    fees: components,
    sponsorPaysUsdE18,
    originGasUsdE18: originGas(quote),
    arrivesAtLeast: isPresent(details?.currencyOut?.minimumAmount ?? details?.currencyOut?.amount)
      ? { currency: currency ?? {}, amount: minimumOutput(quote) }
      : undefined,
  };
  const hasActivation = options.hasActivationFee ?? leavesOutActivation();
  return buildFeeTable({ ...parts, activationUsdE18: hasActivation ? EXCHANGE_ACTIVATION_USD_E18 : 0n, stated });

  /** Whether a reported total is closer to the components with the activation fee than without it. */
  function leavesOutActivation(): boolean {
    if (currency?.chainId !== EXCHANGE_CHAIN_ID) return false;
    const [total] = stated;
    if (total === undefined) return true;
    const table = buildFeeTable({ ...parts, activationUsdE18: 0n, stated: [] });
    return 2n * (total.statedUsdE18 - total.of(table)) > EXCHANGE_ACTIVATION_USD_E18;
  }

  function originGas({ steps }: Quote): bigint | undefined {
    if (isGasless(steps)) return 0n;
    const gasUsd = fees?.gas?.amountUsd;
    return isPresent(gasUsd) ? usdAt(gasUsd, "fees.gas.amountUsd") : undefined;
  }

  function statedTotal(from: Quote["details"]): StatedTotal[] {
    const field = "details.totalImpact.usd";
    const usd = from?.totalImpact?.usd;
    if (!isPresent(usd)) return [];
    // Includes the sponsor's part.
    return [{ field, statedUsdE18: -usdAt(usd, field), of: ({ totalUsdE18 }) => totalUsdE18 }];
  }

  function statedOutput(from: Quote["details"]): StatedTotal[] {
    const [inUsd, outUsd] = [from?.currencyIn?.amountUsd, from?.currencyOut?.amountUsd];
    if (!isPresent(inUsd) || !isPresent(outUsd)) return [];
    const statedUsdE18 = usdAt(inUsd, "details.currencyIn.amountUsd") - usdAt(outUsd, "details.currencyOut.amountUsd");
    const distance = (usdE18: bigint): bigint =>
      usdE18 < statedUsdE18 ? statedUsdE18 - usdE18 : usdE18 - statedUsdE18;
    return [
      {
        field: "details.currencyOut.amountUsd",
        statedUsdE18,
        // A sponsor can pay the service, which increases the output, or reimburse the user.
        of: ({ totalUsdE18, userPaysUsdE18 }) =>
          distance(totalUsdE18) < distance(userPaysUsdE18) ? totalUsdE18 : userPaysUsdE18,
      },
    ];
  }
}

/** Whether the service sends the deposit; its gas is then part of the execution fee. */
function isGasless(steps: Quote["steps"]): boolean {
  return isPresent(steps) && steps.length > 0 && steps.every(({ kind }) => kind === "signature");
}
