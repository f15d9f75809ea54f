import { EXCHANGE_CHAIN_ID } from "../chains/chainIds.ts";
import { fromQuoteFees, mapFees, toQuoteFeeComponent } from "./feeComponents.ts";
import { EXCHANGE_ACTIVATION_USD_E18 } from "./feeRules.ts";
import { buildFeeTable, type FeeTable } from "./feeTable.ts";
import { minimumOutput } from "./minimumOutput.ts";
import type { Quote } from "./quote.ts";
import { parseUsd } from "./usd.ts";

const WHAT = "the quote";

/** How {@link quoteFeeTable} reads a quote. */
export interface QuoteFeeTableOptions {
  /**
   * Whether the activation fee of the exchange chain is due beside the quote's components; when left out, it is for each
   * deposit to that chain. Say false where `mismatches` shows that a component holds it.
   */
  readonly hasActivationFee?: boolean;
}

/**
 * The fees of a quote as one table that adds up, from `details.expandedPriceImpact`: an impact below zero is a cost
 * (spec 2, sections 2.1, 9.1 and 9.2). Totals that the quote states otherwise are in `mismatches`.
 *
 * @throws {@link MalformedDataError} when an amount or a number of US dollars is none
 */
export function quoteFeeTable(quote: Quote, options: QuoteFeeTableOptions = {}): FeeTable {
  const { details, fees } = quote;
  const { expandedPriceImpact: impact, currencyIn, currencyOut } = details;
  const usdAt = (text: string, path: string): bigint => parseUsd(text, WHAT, path);
  const { hasActivationFee = currencyOut.currency.chainId === EXCHANGE_CHAIN_ID } = options;
  const sponsored = usdAt(impact.sponsored?.usd ?? "0", "details.expandedPriceImpact.sponsored.usd");
  return buildFeeTable({
    fees: mapFees(
      fromQuoteFees(impact),
      ({ usd }, component) => -usdAt(usd, `details.expandedPriceImpact.${toQuoteFeeComponent(component)}.usd`),
    ),
    activationUsdE18: hasActivationFee ? EXCHANGE_ACTIVATION_USD_E18 : 0n,
    // What a sponsor pays is no cost of the user's, whichever sign it is written with.
    sponsorPaysUsdE18: sponsored < 0n ? -sponsored : sponsored,
    originGasUsdE18: isGasless(quote) ? 0n : usdAt(fees.gas.amountUsd, "fees.gas.amountUsd"),
    arrivesAtLeast: { currency: currencyOut.currency, amount: minimumOutput(quote) },
    stated: [
      {
        field: "details.totalImpact.usd",
        statedUsdE18: -usdAt(details.totalImpact.usd, "details.totalImpact.usd"),
        of: ({ userPaysUsdE18 }) => userPaysUsdE18,
      },
      {
        field: "details.currencyOut.amountUsd",
        statedUsdE18:
          usdAt(currencyIn.amountUsd, "details.currencyIn.amountUsd") -
          usdAt(currencyOut.amountUsd, "details.currencyOut.amountUsd"),
        of: ({ userPaysUsdE18 }) => userPaysUsdE18,
      },
    ],
  });
}

/** Whether the user signs and the service sends, so that the deposit's gas is part of the execution fee. */
function isGasless({ steps }: Quote): boolean {
  return steps.length > 0 && steps.every(({ kind }) => kind === "signature");
}
