import { encodeFunctionData, erc20Abi } from "viem";

import { unixSeconds } from "@crosscall/sdk/internal/core/clock";
import type { Quote, Step } from "@crosscall/sdk/internal/protocol/complete";
import type { StepId } from "@crosscall/sdk/internal/protocol/quote/step";
import type { Market } from "../market.ts";
import { refuseProblem } from "../refusal.ts";
import { swapSource } from "../swaps/swap.ts";
import { buildDetails, buildFees } from "./buildDetails.ts";
import { buildOrder } from "./buildOrder.ts";
import { findSameChainProblem } from "./findSameChainProblem.ts";
import { priceSameChain } from "./priceSameChain.ts";
import { readAllowance, readChains } from "./readChains.ts";
import { refuseSwapSources } from "./refuseSwapSources.ts";
import type { ResolvedQuote } from "./resolveQuote.ts";
import { slippageOf } from "./slippage.ts";
import { storeQuote } from "./storeQuote.ts";
import { userTransaction, type UserTransaction } from "./userTransaction.ts";

/** Gas of the user's transaction as the deprecated `fees.gas` takes it. */
const USER_GAS = 200_000n;

/**
 * Quotes a request on one chain, and stores it: its steps are what the user executes it with, and it has no order.
 *
 * @throws {@link RefusalError} when it cannot be quoted; nothing is stored then
 */
export async function createSameChainQuote(
  market: Pick<Market, "clock" | "quoteTtlMs" | "randomWord" | "solver" | "store">,
  quote: ResolvedQuote,
  apiKeyHash: string | null,
): Promise<Quote> {
  const problem = findSameChainProblem(quote);
  if (problem !== undefined) throw refuseProblem(problem);
  const slippageBps = slippageOf(quote.request);
  const [chain, priced] = await Promise.all([readChains(quote), priceSameChain(quote, slippageBps)]);
  const { price, swap } = priced;
  if (quote.txs.length > 0 && quote.callValue > price.minimumOutput) {
    throw refuseProblem({
      errorCode: "INVALID_EXTRA_TXS",
      field: "txs",
      value: quote.callValue.toString(),
      reason: `the calls' values add up to more than the ${price.minimumOutput} wei that are there for them`,
      hint: "Lower the values, send more, or use EXACT_OUTPUT.",
    });
  }
  const requestId = market.randomWord();
  const details = buildDetails({
    quote,
    price,
    slippageBps,
    userBalance: chain.userBalance,
    sameChainRouter: swap === undefined ? "transfer" : swapSource(swap),
  });
  refuseSwapSources(quote.request, details.route);
  // Never told to anybody: the store keeps the amounts of every request in the shape of an order.
  const order = buildOrder({
    quote,
    price,
    solver: market.solver.address,
    salt: requestId,
    deadline: unixSeconds(market.clock) + market.quoteTtlMs / 1_000,
    originRouter: quote.origin.contracts.router,
    destinationRouter: quote.destination.contracts.router,
  });
  await storeQuote(
    market,
    { quote, price, slippageBps, requestId, orderId: requestId, order, details },
    { apiKeyHash, depositAddress: null },
  );
  const transaction = userTransaction({ quote, priced, solver: market.solver.address, requestId });
  const fees = buildFees({ quote, price }, USER_GAS * chain.maxFeePerGas);
  const approval = await approvalStep(quote, requestId, transaction, priced.maximumInput);
  const { maxFeePerGas, maxPriorityFeePerGas } = chain;
  return {
    steps: [
      ...approval,
      stepOf(quote, requestId, transaction, {
        maxFeePerGas: maxFeePerGas.toString(),
        maxPriorityFeePerGas: maxPriorityFeePerGas.toString(),
      }),
    ],
    fees,
    details,
  };
}

async function approvalStep(
  quote: ResolvedQuote,
  requestId: string,
  { spender }: UserTransaction,
  amount: bigint,
): Promise<Step[]> {
  if (spender === undefined) return [];
  const { symbol, address } = quote.input.currency;
  const allowance = await readAllowance(quote, spender);
  if (allowance >= amount) return [];
  const approve = (allowed: bigint) => ({
    status: "incomplete" as const,
    data: {
      from: quote.user,
      to: address,
      data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, allowed] }),
      value: "0",
      chainId: quote.origin.id,
    },
  });
  return [
    {
      id: "approve",
      action: "Confirm transaction in your wallet",
      description: `Approve ${symbol} for the swap`,
      kind: "transaction",
      requestId,
      depositAddress: "",
      // The oldest large stablecoin does not overwrite an allowance that is left.
      items: [...(allowance > 0n && address === quote.origin.contracts.tether ? [approve(0n)] : []), approve(amount)],
    },
  ];
}

function stepOf(
  quote: ResolvedQuote,
  requestId: string,
  { to, data, value }: UserTransaction,
  gasPrice: { readonly maxFeePerGas: string; readonly maxPriorityFeePerGas: string },
): Step {
  const id = stepIdOf(quote);
  const { input, output, recipient } = quote;
  const descriptions: Record<string, string> = {
    send: `Send ${input.currency.symbol} to ${recipient}`,
    swap: `Swap ${input.currency.symbol} for ${output.currency.symbol}`,
  };
  return {
    id,
    action: "Confirm transaction in your wallet",
    description: descriptions[id] ?? `Execute the calls on ${quote.origin.name}`,
    kind: "transaction",
    requestId,
    depositAddress: "",
    items: [
      {
        status: "incomplete",
        data: { from: quote.user, to, data, value: value.toString(), chainId: quote.origin.id, ...gasPrice },
        check: { endpoint: `/intents/status/v3?requestId=${requestId}`, method: "GET" },
      },
    ],
  };
}

function stepIdOf({ txs, input, output }: ResolvedQuote): StepId {
  if (txs.length > 0) return "deposit";
  return input.currency.address === output.currency.address ? "send" : "swap";
}
