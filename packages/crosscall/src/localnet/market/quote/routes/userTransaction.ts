import { type Address, concat, encodeFunctionData, erc20Abi, type Hex } from "viem";

import { routerAbi } from "@crosscall/protocol/abi";
import { isEvmNative, isSameAddress } from "@crosscall/protocol/chains";
import type { EvmCall } from "../../../devchain/devChain.ts";
import { encodePath, encodeReversedPath } from "../../swaps/findSwap.ts";
import { beforeTransferFee, SWAP_ROUTER_ITSELF, swapRouterAbi, wrappedNativeAbi } from "../../swaps/swap.ts";
import { exactInputCalls, exactOutputCalls } from "../../swaps/swapCalls.ts";
import type { EvmQuote } from "../resolveQuote.ts";
import type { SameChainPrice } from "./priceSameChain.ts";

export interface UserTransaction {
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
  /** Contract that needs an allowance for the input, if any. */
  readonly spender: Address | undefined;
}

export interface UserTransactionParameters {
  readonly quote: EvmQuote;
  readonly priced: SameChainPrice;
  readonly solver: Address;
  readonly requestId: Hex;
}

/**
 * Builds the transaction of a same-chain request. Its call data ends with the requestId, so the service can find it.
 * Only Uniswap's router pulls tokens, and only from its caller: anyone could use an allowance of the public router.
 */
export function userTransaction(parameters: UserTransactionParameters): UserTransaction {
  const transaction = buildTransaction(parameters);
  return { ...transaction, data: concat([transaction.data, parameters.requestId]) };
}

function buildTransaction(parameters: UserTransactionParameters): UserTransaction {
  const { quote, priced } = parameters;
  if (quote.txs.length > 0) return callTransaction(parameters);
  if (priced.swap === undefined) return transferTransaction(quote, priced);
  return directWrap(quote, priced) ?? swapTransaction(parameters);
}

function transferTransaction({ recipient, input }: EvmQuote, { price }: SameChainPrice): UserTransaction {
  const currency = input.currency.address as Address;
  const to = recipient;
  if (isEvmNative(currency)) return { to, data: "0x", value: price.inputAmount, spender: undefined };
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, price.inputAmount] });
  return { to: currency, data, value: 0n, spender: undefined };
}

/** Returns a direct call to wrap or unwrap, if possible. Fees and other recipients require the swap router. */
function directWrap(quote: EvmQuote, { swap, price, feeAmount }: SameChainPrice): UserTransaction | undefined {
  if (feeAmount > 0n || !isSameAddress(quote.user, quote.recipient)) return undefined;
  const to = quote.origin.contracts.wrappedNative;
  switch (swap?.route.kind) {
    case "wrap": {
      const data = encodeFunctionData({ abi: wrappedNativeAbi, functionName: "deposit" });
      return { to, data, value: price.inputAmount, spender: undefined };
    }
    case "unwrap": {
      const args = [price.inputAmount] as const;
      const data = encodeFunctionData({ abi: wrappedNativeAbi, functionName: "withdraw", args });
      return { to, data, value: 0n, spender: undefined };
    }
    default:
      return undefined;
  }
}

function swapTransaction({ quote, priced, solver }: UserTransactionParameters): UserTransaction {
  const { wrappedNative, uniswapRouter } = quote.origin.contracts;
  const token = quote.input.currency.address as Address;
  const isFromNative = isEvmNative(token);
  const held = isFromNative ? wrappedNative : token;
  const { feeAmount, maximumInput } = priced;
  const take = (amount: bigint): Hex =>
    isFromNative
      ? encodeFunctionData({ abi: swapRouterAbi, functionName: "wrapETH", args: [amount] })
      : encodeFunctionData({ abi: swapRouterAbi, functionName: "pull", args: [token, amount] });
  const give = (amount: bigint, to: Address): Hex =>
    encodeFunctionData({ abi: swapRouterAbi, functionName: "sweepToken", args: [held, amount, to] });
  const calls = [
    ...(feeAmount > 0n ? [take(feeAmount), give(feeAmount, solver)] : []),
    ...swapData(quote, priced, take, give),
    ...(isFromNative ? [encodeFunctionData({ abi: swapRouterAbi, functionName: "refundETH" })] : []),
  ];
  return {
    to: uniswapRouter,
    data: encodeFunctionData({ abi: swapRouterAbi, functionName: "multicall", args: [calls] }),
    value: isFromNative ? maximumInput : 0n,
    spender: isFromNative ? undefined : uniswapRouter,
  };
}

function swapData(
  quote: EvmQuote,
  { swap, price, feeAmount, maximumInput }: SameChainPrice,
  take: (amount: bigint) => Hex,
  give: (amount: bigint, to: Address) => Hex,
): Hex[] {
  if (swap === undefined) return [];
  const recipient = quote.recipient;
  const unwrap = encodeFunctionData({
    abi: swapRouterAbi,
    functionName: "unwrapWETH9",
    args: [price.minimumOutput, recipient],
  });
  const { route, amountIn, amountOut, transferFeeBps } = swap;
  switch (route.kind) {
    case "wrap":
      return [take(amountIn), give(amountIn, recipient)];
    case "unwrap":
      return [take(amountIn), unwrap];
    case "pools": {
      const isToNative = isEvmNative(swap.output);
      const to = isToNative ? SWAP_ROUTER_ITSELF : recipient;
      const main =
        quote.request.tradeType === "EXACT_OUTPUT"
          ? encodeFunctionData({
              abi: swapRouterAbi,
              functionName: "exactOutput",
              args: [
                {
                  path: encodeReversedPath(route.path),
                  recipient: to,
                  amountOut: beforeTransferFee(amountOut, transferFeeBps),
                  amountInMaximum: maximumInput - feeAmount,
                },
              ],
            })
          : encodeFunctionData({
              abi: swapRouterAbi,
              functionName: "exactInput",
              args: [
                {
                  path: encodePath(route.path),
                  recipient: to,
                  amountIn,
                  amountOutMinimum: beforeTransferFee(price.minimumOutput, transferFeeBps),
                },
              ],
            });
      return isToNative ? [main, unwrap] : [main];
    }
  }
}

/** Returns the transaction in which the router makes the calls with native currency or the output of a swap. */
function callTransaction({ quote, priced, solver }: UserTransactionParameters): UserTransaction {
  const { swap, price, feeAmount, maximumInput } = priced;
  const { router } = quote.origin.contracts;
  const swapCalls: EvmCall[] =
    swap === undefined
      ? []
      : quote.request.tradeType === "EXACT_OUTPUT"
        ? exactOutputCalls(quote.origin, swap, {
            recipient: router,
            maximumIn: maximumInput - feeAmount,
            leftoverTo: quote.user,
          })
        : exactInputCalls(quote.origin, swap, { recipient: router, minimumOut: price.minimumOutput });
  const fee = feeAmount > 0n ? [{ to: solver, data: "0x" as Hex, value: feeAmount }] : [];
  const txs = quote.txs.map(({ to, data, value }) => ({
    to: to as Address,
    data: data as Hex,
    value: BigInt(value),
  }));
  const recipient = quote.recipient;
  const data = encodeFunctionData({
    abi: routerAbi,
    functionName: "multicall",
    args: [
      [...fee, ...swapCalls, ...txs].map(({ to, data: callData, value }) => ({
        target: to,
        allowFailure: false,
        value,
        callData,
      })),
      recipient,
      recipient,
      "0x",
    ],
  });
  return { to: router, data, value: maximumInput, spender: undefined };
}

/** Returns the calls that use a permit's input. The router sends or swaps all of it. */
export function permitCalls({ origin, input, recipient }: EvmQuote, { swap, price }: SameChainPrice): EvmCall[] {
  if (swap !== undefined) return exactInputCalls(origin, swap, { recipient, minimumOut: price.minimumOutput });
  const args = [recipient, price.inputAmount] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args });
  return [{ to: input.currency.address as Address, data, value: 0n }];
}
