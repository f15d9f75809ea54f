import type { Address } from "viem";

import { isEvmNative, isSameAddress, type KnownChain } from "@crosscall/protocol/chains";
import { BITCOIN_CHAIN_ID } from "@crosscall/protocol/chains/chainIds";
import { sumCallValues } from "@crosscall/protocol/common";
import { InvalidInputError } from "@crosscall/protocol/core";
import type { QuoteProblem } from "@crosscall/protocol/quote";
import { findQuoteProblem, type QuoteRequest } from "@crosscall/protocol/quote/rules";
import type { DevChain } from "../../devchain/devChain.ts";
import { parseAccountOf } from "../accounts.ts";
import type { CurrencyTable, PricedCurrency } from "../currencies.ts";
import type { ChainReader, Pricer } from "../market.ts";
import { isSimulated, type QuotedChain, requireQuotedChain } from "../quotedChains.ts";
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
 * @throws {@link RejectionError} naming the first invalid field
 */
export function resolveQuote(market: Pricer & ChainReader, request: QuoteRequest): ResolvedQuote {
  const { chains, currencies } = market;
  const origin = requireQuotedChain(chains, request.originChainId, "originChainId");
  const destination = requireQuotedChain(chains, request.destinationChainId, "destinationChainId");
  const evmChains: KnownChain[] = [...chains.keys()].map((id) => ({ id, vmType: "evm" }));
  rejectIf(findQuoteProblem(request, evmChains));
  const input = requireCurrency(currencies, request, "originCurrency", origin);
  rejectIf(findTransferFee(input));
  const { user, recipient = user, refundTo = user, txs = [] } = request;
  rejectIf(findTokenRecipient(currencies, destination, recipient));
  const parseAccount = (chain: QuotedChain, account: string, field: "recipient" | "refundTo" | "user"): string => {
    try {
      return parseAccountOf(chain.id, account, field, evmChains);
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      const { reason, hint } = error;
      throw rejectProblem({ errorCode: "INVALID_ADDRESS", field, value: account, reason, hint });
    }
  };
  return {
    request: isPlainTransfer(request) ? withoutAppFees(request) : request,
    origin,
    destination,
    input,
    output: requireCurrency(currencies, request, "destinationCurrency", destination),
    originNative: currencies.nativeOf(origin.id),
    destinationNative: currencies.nativeOf(destination.id),
    user: parseAccount(origin, user, "user"),
    recipient: parseAccount(destination, recipient, "recipient"),
    refundTo: parseAccount(origin, refundTo, "refundTo"),
    txs,
    callValue: sumCallValues(txs),
  };
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
    reason: token.metadata.isNative ? "is no account" : `is the contract of ${token.symbol}`,
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
function findTransferFee({ currency, transferFeeBps = 0n }: PricedCurrency): QuoteProblem | undefined {
  if (transferFeeBps === 0n) return undefined;
  return {
    errorCode: "INVALID_INPUT_CURRENCY",
    field: "originCurrency",
    value: currency.address,
    reason: `${currency.symbol} takes a fee of ${transferFeeBps} bps on transfers, so the deposit would be too small`,
    hint: "Pay with another currency. This currency can only be received.",
  };
}

function requireCurrency(
  currencies: CurrencyTable,
  request: QuoteRequest,
  field: "originCurrency" | "destinationCurrency",
  chain: QuotedChain,
): PricedCurrency {
  const currency = currencies.find(chain.id, request[field]);
  if (currency !== undefined) return currency;
  const known = currencies.ofChain(chain.id).map(({ currency: { symbol, address } }) => `${symbol} ${address}`);
  throw rejectProblem({
    errorCode: field === "originCurrency" ? "INVALID_INPUT_CURRENCY" : "INVALID_OUTPUT_CURRENCY",
    field,
    value: request[field],
    reason: `chain ${chain.id} has ${known.join(" and ")} here`,
    hint: "Choose one of them; GET /chains lists them.",
  });
}

export function deliversNative({ output }: Pick<ResolvedQuote, "output">): boolean {
  return isEvmNative(output.currency.address);
}
