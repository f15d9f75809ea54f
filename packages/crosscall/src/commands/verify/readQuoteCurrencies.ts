import { type Address, BaseError, ExecutionRevertedError, isAddress, type PublicClient } from "viem";

import type { Quote } from "@crosscall/protocol/quote";
import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import { type CurrencyReader, readCurrencies } from "../../replay/effects/readCurrencies.ts";
import { amountsOfQuote, statedCurrencies } from "../../replay/report/statedAmounts.ts";
import type { CurrencyFacts } from "../../replay/replayReport.ts";
import type { Target } from "../../options/target.ts";

interface QuoteTerms {
  readonly request: QuoteRequest;
  readonly quote: Quote;
}

/**
 * Reads symbols and decimals of a quote's currencies from the chains that have a node. Omits currencies whose node
 * does not respond.
 *
 * @returns currencies by chain id
 */
export async function readQuoteCurrencies(
  targets: ReadonlyMap<number, Target>,
  { request, quote }: QuoteTerms,
): Promise<Readonly<Record<number, readonly CurrencyFacts[]>>> {
  const { originChainId, originCurrency, destinationChainId, destinationCurrency } = request;
  const requested = [
    { chainId: originChainId, currency: originCurrency },
    { chainId: destinationChainId, currency: destinationCurrency },
  ];
  const entries = [...targets.values()].map(async ({ chainId, client }) => {
    const currencies = [
      ...requested.filter((one) => one.chainId === chainId).map(({ currency }) => currency),
      ...statedCurrencies(amountsOfQuote(quote), chainId).map(({ address }) => address),
    ].flatMap((currency) => (isAddress(currency, { strict: false }) ? [currency] : []));
    const found = await Promise.all(currencies.map((currency) => readOne(client, chainId, currency)));
    return [chainId, found.flat()] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Returns no currency if the node fails, because a missing response is not a token without decimals. */
async function readOne(client: PublicClient, chainId: number, currency: Address): Promise<CurrencyFacts[]> {
  const call: CurrencyReader["call"] = async (given) => {
    try {
      return (await client.call(given)).data;
    } catch (error) {
      if (error instanceof BaseError && error.walk((layer) => layer instanceof ExecutionRevertedError) !== null) {
        return undefined;
      }
      throw error;
    }
  };
  try {
    return await readCurrencies({ chainId, call }, [currency]);
  } catch (error) {
    if (error instanceof BaseError) return [];
    throw error;
  }
}
