import type { Address } from "viem";

import { isEvmNative, parseEvmAddress } from "@crosscall/sdk/internal/chains/address";
import type { KnownChain } from "@crosscall/sdk/internal/chains/families/chainFamilyOf";
import { sumCallValues } from "@crosscall/sdk/internal/protocol/common/call";
import type { QuoteProblem } from "@crosscall/sdk/internal/protocol/quote/quoteProblem";
import type { QuoteRequest } from "@crosscall/sdk/internal/protocol/quote/quoteRequest";
import { findQuoteProblem } from "@crosscall/sdk/internal/protocol/quote/quoteRules";
import type { DevChain } from "../../devchain/devChain.ts";
import type { PricedCurrency } from "../currencies.ts";
import type { Market } from "../market.ts";
import { refuseProblem } from "../refusal.ts";
import { SIMULATED_CHAINS } from "../simulatedChains.ts";

/** A chain as a quote names it. */
export type QuotedChain = Pick<DevChain, "id" | "name" | "protocolChainId">;

/** A quote request whose names are resolved: chains, currencies, addresses. */
export interface QuoteSubject {
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
  /** Sum of the values of all calls, in wei. */
  readonly callValue: bigint;
}

/** A resolved quote request between chains that this network runs. */
export interface ResolvedQuote extends QuoteSubject {
  readonly origin: DevChain;
  readonly destination: DevChain;
  readonly user: Address;
  readonly recipient: Address;
  readonly refundTo: Address;
}

/**
 * Checks a quote request against the rules and against this network.
 *
 * @throws {@link RefusalError} naming the first field that cannot be used
 */
export function resolveQuote(market: Pick<Market, "chains" | "currencies">, request: QuoteRequest): ResolvedQuote {
  const origin = requireChain(market, request, "originChainId");
  const destination = requireChain(market, request, "destinationChainId");
  refuseIf(findQuoteProblem(request, evmChainsOf(market)));
  const txs = request.txs ?? [];
  const input = requireCurrency(market, request, "originCurrency", origin);
  refuseIf(findTransferFee(input));
  const user = parseEvmAddress(request.user, "user");
  return {
    request,
    origin,
    destination,
    input,
    output: requireCurrency(market, request, "destinationCurrency", destination),
    originNative: market.currencies.nativeOf(origin.id),
    destinationNative: market.currencies.nativeOf(destination.id),
    user,
    recipient: request.recipient === undefined ? user : parseEvmAddress(request.recipient, "recipient"),
    refundTo: request.refundTo === undefined ? user : parseEvmAddress(request.refundTo, "refundTo"),
    txs,
    callValue: sumCallValues(txs),
  };
}

/** The chains that this network runs, for rules that depend on the family of a chain. */
export function evmChainsOf({ chains }: Pick<Market, "chains">): KnownChain[] {
  return [...chains.keys()].map((id) => ({ id, vmType: "evm" }));
}

function refuseIf(problem: QuoteProblem | undefined): void {
  if (problem !== undefined) throw refuseProblem(problem);
}

/** What the depository gets of such a deposit is less than its event says. */
function findTransferFee({ currency, transferFeeBps = 0n }: PricedCurrency): QuoteProblem | undefined {
  if (transferFeeBps === 0n) return undefined;
  return {
    errorCode: "INVALID_INPUT_CURRENCY",
    field: "originCurrency",
    value: currency.address,
    reason: `${currency.symbol} keeps ${transferFeeBps} bps of every transfer, so that a deposit would arrive short`,
    hint: "Pay with another currency; this one can be received.",
  };
}

/**
 * A chain that this network runs.
 *
 * @throws {@link RefusalError} naming the field where it is none
 */
export function requireChain(
  market: Pick<Market, "chains">,
  request: QuoteRequest,
  field: "originChainId" | "destinationChainId",
): DevChain {
  const chain = market.chains.get(request[field]);
  if (chain !== undefined) return chain;
  throw refuseProblem({
    errorCode: "UNSUPPORTED_CHAIN",
    field,
    value: request[field],
    reason: `this network has the chains ${[...market.chains.keys(), ...SIMULATED_CHAINS.keys()].join(", ")}`,
    hint: "Choose one of them; GET /chains lists them.",
  });
}

/**
 * A currency of the price table.
 *
 * @throws {@link RefusalError} naming the field where it is none
 */
export function requireCurrency(
  market: Pick<Market, "currencies">,
  request: QuoteRequest,
  field: "originCurrency" | "destinationCurrency",
  chain: QuotedChain,
): PricedCurrency {
  const currency = market.currencies.find(chain.id, request[field]);
  if (currency !== undefined) return currency;
  const known = market.currencies.ofChain(chain.id).map(({ currency: { symbol, address } }) => `${symbol} ${address}`);
  throw refuseProblem({
    errorCode: field === "originCurrency" ? "INVALID_INPUT_CURRENCY" : "INVALID_OUTPUT_CURRENCY",
    field,
    value: request[field],
    reason: `chain ${chain.id} has ${known.join(" and ")} here`,
    hint: "Choose one of them; GET /chains lists them.",
  });
}

/** Whether a quote delivers the native currency. */
export function deliversNative({ output }: Pick<QuoteSubject, "output">): boolean {
  return isEvmNative(output.currency.address);
}
