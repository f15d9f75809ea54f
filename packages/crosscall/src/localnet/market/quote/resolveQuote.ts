import type { Address } from "viem";

import { isEvmNative, isSameAddress, type KnownChain } from "@crosscall/protocol/chains";
import { BITCOIN_CHAIN_ID, SVM_CHAIN_ID } from "@crosscall/protocol/chains/chainIds";
import { sumCallValues } from "@crosscall/protocol/common";
import { InvalidInputError } from "@crosscall/protocol/core";
import type { QuoteProblem } from "@crosscall/protocol/quote";
import { findQuoteProblem, type QuoteRequest } from "@crosscall/protocol/quote/rules";
import type { DevChain } from "../../devchain/devChain.ts";
import { parseAccountOf } from "../accounts.ts";
import type { CurrencyTable, PricedCurrency } from "../currencies.ts";
import type { ChainReader, Pricer } from "../market.ts";
import { type DevChains, isSimulated, type QuotedChain, requireQuotedChain } from "../quotedChains.ts";
import { rejectIf, rejectProblem } from "../rejection.ts";

export interface ResolvedQuote {
  readonly request: QuoteRequest;
  readonly origin: QuotedChain;
  readonly destination: QuotedChain;
  readonly input: PricedCurrency;
  readonly output: PricedCurrency;
  readonly originNative: PricedCurrency;
  readonly destinationNative: PricedCurrency;
  readonly user: string;
  readonly recipient: string;
  readonly refundTo: string;
  readonly txs: NonNullable<QuoteRequest["txs"]>;
  /** In wei. */
  readonly callValue: bigint;
  /** Inputs of a request with several, on EVM chains; undefined for one input. The amounts are those of the request. */
  readonly offers: readonly QuotedInput[] | undefined;
}

/** A deposit on one chain. */
export interface QuotedInput {
  readonly origin: QuotedChain;
  readonly input: PricedCurrency;
  readonly user: string;
  readonly refundTo: string;
  /** Smallest unit. */
  readonly amount: bigint;
}

export interface EvmOriginQuote extends ResolvedQuote {
  readonly origin: DevChain;
}

export interface EvmQuote extends EvmOriginQuote {
  readonly destination: DevChain;
  readonly user: Address;
  readonly recipient: Address;
  readonly refundTo: Address;
}

export function isEvmQuote(quote: ResolvedQuote): quote is EvmQuote {
  return !isSimulated(quote.origin) && !isSimulated(quote.destination);
}

/**
 * Validates a quote request for this network.
 *
 * @param offers inputs, if there are several; the request then has their total
 * @throws {@link RejectionError} naming the first invalid field
 */
export function resolveQuote(
  market: Pricer & ChainReader,
  request: QuoteRequest,
  offers?: readonly QuotedInput[],
): ResolvedQuote {
  const { chains, currencies } = market;
  const origin = requireQuotedChain(chains, request.originChainId, "originChainId");
  const destination = requireQuotedChain(chains, request.destinationChainId, "destinationChainId");
  rejectIf(findQuoteProblem(request, evmChainsOf(chains)));
  const { originCurrency, destinationCurrency } = request;
  const input = requireCurrency(currencies, origin, originCurrency, "originCurrency", "INVALID_INPUT_CURRENCY");
  rejectIf(findTransferFee(input, "originCurrency"));
  const { user, recipient = user, refundTo = user, txs = [] } = request;
  rejectIf(findTokenRecipient(currencies, destination, recipient));
  if (origin.id === SVM_CHAIN_ID) requireFeePayer(chains, origin, request);
  return {
    request: isPlainTransfer(request) ? withoutAppFees(request) : request,
    origin,
    destination,
    input,
    output: requireCurrency(
      currencies,
      destination,
      destinationCurrency,
      "destinationCurrency",
      "INVALID_OUTPUT_CURRENCY",
    ),
    originNative: currencies.nativeOf(origin.id),
    destinationNative: currencies.nativeOf(destination.id),
    user: parseQuoteAccount(chains, origin, user, "user"),
    recipient: parseQuoteAccount(chains, destination, recipient, "recipient"),
    refundTo: parseQuoteAccount(chains, origin, refundTo, "refundTo"),
    txs,
    callValue: sumCallValues(txs),
    offers,
  };
}

function evmChainsOf(chains: DevChains): KnownChain[] {
  return [...chains.keys()].map((id) => ({ id, vmType: "evm" }));
}

/** @throws {@link RejectionError} if it is not an account of the chain */
export function parseQuoteAccount(chains: DevChains, { id }: QuotedChain, account: string, field: string): string {
  try {
    return parseAccountOf(id, account, field, evmChainsOf(chains));
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const { reason, hint } = error;
    throw rejectProblem({ errorCode: "INVALID_ADDRESS", field, value: account, reason, hint });
  }
}

/** @throws {@link RejectionError} if the fee payer is not an account, or is the user */
function requireFeePayer(chains: DevChains, origin: QuotedChain, { user, depositFeePayer }: QuoteRequest): void {
  if (depositFeePayer === undefined) return;
  const field = "depositFeePayer";
  if (parseQuoteAccount(chains, origin, depositFeePayer, field) !== user) return;
  throw rejectProblem({
    errorCode: "INVALID_REQUEST",
    field,
    value: depositFeePayer,
    reason: "is the user, who pays the fee by default",
    hint: "Pass another account, or omit depositFeePayer.",
  });
}

/**
 * Finds a recipient that is a token contract, because tokens sent to such a contract are lost. The live service has
 * rejected such requests since 22 July 2026.
 */
function findTokenRecipient(
  currencies: CurrencyTable,
  { id }: QuotedChain,
  recipient: string,
): QuoteProblem | undefined {
  const token = currencies.find(id, recipient)?.currency;
  const isAccount = token?.metadata.isNative === true && id !== BITCOIN_CHAIN_ID;
  if (token === undefined || isAccount) return undefined;
  return {
    errorCode: "INVALID_RECIPIENT",
    field: "recipient",
    value: recipient,
    reason: token.metadata.isNative ? "is not an account" : `is the contract of ${token.symbol}`,
    hint: "Pass the account that receives the output.",
  };
}

/** Returns whether the request is a transfer directly to its recipient, without a contract that could take a fee. */
function isPlainTransfer({
  originChainId,
  destinationChainId,
  originCurrency,
  destinationCurrency,
  txs = [],
  useDepositAddress,
}: QuoteRequest): boolean {
  const isOneCurrency = originChainId === destinationChainId && isSameAddress(originCurrency, destinationCurrency);
  return isOneCurrency && txs.length === 0 && useDepositAddress !== true;
}

/** Removes the app fees. The live service takes no app fees from plain transfers, and reports no error. */
function withoutAppFees({ appFees: _, ...request }: QuoteRequest): QuoteRequest {
  return request;
}

/** Finds the problem with a transfer fee: the depository receives less than its event states. */
export function findTransferFee(
  { currency, transferFeeBps = 0n }: PricedCurrency,
  field: string,
): QuoteProblem | undefined {
  if (transferFeeBps === 0n) return undefined;
  return {
    errorCode: "INVALID_INPUT_CURRENCY",
    field,
    value: currency.address,
    reason: `${currency.symbol} takes a fee of ${transferFeeBps} bps on transfers, so the deposit would be too small`,
    hint: "Pay with a different currency. This currency can only be received.",
  };
}

/** @throws {@link RejectionError} if the chain does not have the currency */
export function requireCurrency(
  currencies: CurrencyTable,
  chain: QuotedChain,
  address: string,
  field: string,
  errorCode: "INVALID_INPUT_CURRENCY" | "INVALID_OUTPUT_CURRENCY",
): PricedCurrency {
  const currency = currencies.find(chain.id, address);
  if (currency !== undefined) return currency;
  const listed = currencies.ofChain(chain.id).map(({ currency: { symbol, address: one } }) => `${symbol} ${one}`);
  throw rejectProblem({
    errorCode,
    field,
    value: address,
    reason: `chain ${chain.id} has ${listed.join(" and ")} here`,
    hint: "Choose one of them; GET /chains lists them.",
  });
}

export function deliversNative({ output }: Pick<ResolvedQuote, "output">): boolean {
  return isEvmNative(output.currency.address);
}
