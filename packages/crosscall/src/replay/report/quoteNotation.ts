import { type Address, maxUint256 } from "viem";

import { EVM_NATIVE_CURRENCY, isSameAddress, PERMIT2_ADDRESS } from "@crosscall/protocol/chains";
import type { Quote } from "@crosscall/protocol/quote";
import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import { isPresent } from "@crosscall/protocol/schema";
import type { QuoteClaim, QuoteClaimCode, ReportNotation } from "@crosscall/sdk/kit";
import type { ServiceTrust } from "@crosscall/sdk/verify";
import { type Notation, notationOf, shown } from "./notation.ts";
import { amountsOfQuote, statedCurrencies, withPrices } from "./statedAmounts.ts";
import { nativeCurrencyOf } from "../effects/nativeCurrency.ts";
import type { CurrencyFacts } from "../replayReport.ts";

export interface QuoteNotationParameters {
  readonly request: QuoteRequest;
  readonly quote: Quote;
  readonly trust: ServiceTrust;
  /** Currencies as their chains state them, by chain id. */
  readonly currencies?: Readonly<Record<number, readonly CurrencyFacts[]>>;
}

/**
 * Returns the notation of one chain of a quote, with names for the accounts of the request. An amount of a currency
 * that was not read from its chain is in the smallest unit, followed by the amount with the quote's symbol and decimals,
 * because a service could state others.
 */
export function chainNotation(
  { request, quote, trust, currencies = {} }: QuoteNotationParameters,
  chainId: number,
): Notation {
  const { depositories = [], solvers = [], routers = [], spenders = [] } = trust[chainId] ?? {};
  const { user, recipient, refundTo } = request;
  // A later name takes precedence. Only the first account of each kind gets the name, because names are unique.
  const named: readonly (readonly [string | null | undefined, string])[] = [
    [PERMIT2_ADDRESS, "Permit2"],
    [spenders.at(-1), "approval proxy"],
    [routers.at(-1), "router"],
    [solvers.at(-1), "solver"],
    [depositories.at(-1), "depository"],
    [refundTo, "refund recipient"],
    [recipient, "recipient"],
    [user, "user"],
  ];
  const names = Object.fromEntries(
    named.flatMap(([account, name]) => (typeof account === "string" ? [[account.toLowerCase(), name]] : [])),
  ) as Record<Address, string>;
  const stated = statedCurrencies(amountsOfQuote(quote), chainId);
  const native = nativeCurrencyOf(chainId);
  const known = withPrices([...(currencies[chainId] ?? []), ...(native === undefined ? [] : [native])], stated);
  const notation = notationOf({ names, currencies: known });
  const statedNotation = notationOf({ names, currencies: stated });
  const isIn = (facts: readonly CurrencyFacts[], currency: Address): boolean =>
    facts.some(({ address }) => isSameAddress(address, currency));
  return {
    ...notation,
    amountOf: (amount, currency) =>
      isIn(known, currency) || !isIn(stated, currency)
        ? notation.amountOf(amount, currency)
        : `${amount} (stated as ${statedNotation.amountOf(amount, currency)})`,
  };
}

/** Returns what a quote takes, and the minimum that it delivers. */
export function quotedAmounts(terms: QuoteNotationParameters): { readonly pays: string; readonly gets: string } {
  const { request, quote } = terms;
  const { currencyIn, currencyOut } = quote.details ?? {};
  const describe = (amount: string | null | undefined, chainId: number, currency: string): string =>
    isPresent(amount) && /^\d{1,78}$/u.test(amount)
      ? chainNotation(terms, chainId).amountOf(BigInt(amount), currency as Address)
      : "an amount that the quote does not state";
  return {
    pays: describe(currencyIn?.amount, request.originChainId, request.originCurrency),
    gets: describe(
      currencyOut?.minimumAmount ?? currencyOut?.amount,
      request.destinationChainId,
      request.destinationCurrency,
    ),
  };
}

/** Claims whose values are amounts, and the currency of each. */
const CLAIM_CURRENCIES: Readonly<Partial<Record<QuoteClaimCode, "input" | "output" | "native">>> = {
  APPROVAL_AMOUNT: "input",
  DEPOSIT_AMOUNT: "input",
  INPUT_AMOUNT: "input",
  PERMIT_AMOUNT: "input",
  TRANSFER_AMOUNT: "input",
  TRANSACTION_VALUE: "native",
  MINIMUM_OUTPUT: "output",
  OUTPUT_AMOUNT: "output",
};

/**
 * Returns the notation of a quote's report: whole units with symbol and value, and names of known accounts. Prices
 * are the quote's.
 */
export function quoteNotation(parameters: QuoteNotationParameters): ReportNotation {
  const { originChainId, originCurrency, destinationChainId, destinationCurrency } = parameters.request;
  const origin = chainNotation(parameters, originChainId);
  const destination = chainNotation(parameters, destinationChainId);
  const amounts = {
    input: { notation: origin, currency: originCurrency },
    output: { notation: destination, currency: destinationCurrency },
    native: { notation: origin, currency: EVM_NATIVE_CURRENCY },
  };
  return {
    part(part) {
      if (typeof part === "string") return shown(part);
      if ("account" in part) return shown(origin.nameOf(part.account as Address));
      const isAmount = /^\d{1,78}$/u.test(part.amount);
      const currency = part.currency as Address;
      return isAmount ? amountText(origin, BigInt(part.amount), currency) : shown(`${part.amount} of ${part.currency}`);
    },
    claimValue({ code }: QuoteClaim, value) {
      const kind = CLAIM_CURRENCIES[code];
      if (kind === undefined) return origin.textOf(value);
      const { notation, currency } = amounts[kind];
      return shown(value).replace(/(?<![\w.])\d{1,78}(?![\w.])/gu, (amount) =>
        amountText(notation, BigInt(amount), currency as Address),
      );
    },
  };
}

function amountText(notation: Notation, amount: bigint, currency: Address): string {
  return amount === maxUint256 ? `unlimited ${notation.symbolOf(currency)}` : notation.amountOf(amount, currency);
}
