import { isSameAddress } from "@crosscall/protocol/chains";
import { currencyIdOf, type CurrencyTable, type PricedCurrency } from "./currencies.ts";
import { holdingsOf, type QuotedChain } from "./quotedChains.ts";

/** Filter for currencies. All conditions must match. */
export interface CurrencyFilter {
  readonly chainIds?: readonly number[] | undefined;
  /** Part of the name or symbol; case-insensitive. */
  readonly term?: string | undefined;
  readonly address?: string | undefined;
  readonly currencyId?: string | undefined;
  /** `chainId:address` */
  readonly tokens?: readonly string[] | undefined;
  readonly verified?: boolean | undefined;
  /** Whether to list the currencies of all chains with the same id. Requires an address. */
  readonly includeAllChains?: boolean | undefined;
  readonly depositAddressOnly?: boolean | undefined;
}

/** Returns the matching currencies in the order of the network's chains. */
export function listCurrencies(
  currencies: CurrencyTable,
  chains: readonly QuotedChain[],
  filter: CurrencyFilter,
): PricedCurrency[] {
  const all = chains.flatMap((chain) => currencies.ofChain(chain.id));
  const found = all.filter(({ currency }) => matches(filter, currency));
  const named =
    filter.includeAllChains === true && filter.address !== undefined
      ? all.filter(({ currency }) => found.some((one) => currencyIdOf(one.currency) === currencyIdOf(currency)))
      : found;
  if (filter.depositAddressOnly !== true) return named;
  const held = new Set(chains.flatMap((chain) => holdingsOf(currencies, chain)));
  return named.filter((priced) => held.has(priced));
}

function matches(filter: CurrencyFilter, currency: PricedCurrency["currency"]): boolean {
  const { chainIds = [], term = "", address = "", currencyId = "", tokens, verified } = filter;
  const searched = term.toLowerCase();
  return (
    (chainIds.length === 0 || chainIds.includes(currency.chainId)) &&
    [currency.name, currency.symbol].some((text) => text.toLowerCase().includes(searched)) &&
    (address === "" || isSameAddress(currency.address, address)) &&
    (currencyId === "" || currencyIdOf(currency) === currencyId.toLowerCase()) &&
    (tokens === undefined || tokens.some((token) => isToken(token, currency))) &&
    (verified !== true || currency.metadata.verified)
  );
}

function isToken(token: string, { chainId, address }: PricedCurrency["currency"]): boolean {
  const prefix = `${chainId}:`;
  return token.startsWith(prefix) && isSameAddress(token.slice(prefix.length), address);
}
