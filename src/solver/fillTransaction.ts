import { type Address, type Hex, concat, encodeFunctionData, erc20Abi } from "viem";

import { routerAbi } from "@crosscall/sdk/internal/abi/router.generated";
import { isEvmNative } from "@crosscall/sdk/internal/chains/address";
import type { EvmCall } from "../devchain/devChain.ts";

/** What a fill is made of. */
export interface FillParameters {
  readonly orderId: Hex;
  readonly router: Address;
  /** The user's recipient: gets the payment of a bare fill, and what is left after calls. */
  readonly recipient: Address;
  readonly currency: Address;
  readonly amount: bigint;
  /** The calls that swap for the amount, where the solver does not hold the currency. */
  readonly swapCalls?: readonly EvmCall[];
  readonly calls: readonly EvmCall[];
  /** Moves what the solver gives to the router; for tokens with calls. */
  readonly tokenPayment: EvmCall | undefined;
}

/**
 * The transaction that fills an order. Its call data ends with the orderId, whatever its form: a bare native transfer,
 * a token transfer, or a multicall of the router that runs the order's calls.
 */
export function fillTransaction(parameters: FillParameters): EvmCall {
  const { orderId, recipient, currency, amount, calls, swapCalls = [] } = parameters;
  if (calls.length === 0 && swapCalls.length === 0)
    return transferTransaction({ orderId, recipient, currency, amount });
  const payment = parameters.tokenPayment === undefined ? [] : [parameters.tokenPayment];
  const data = encodeFunctionData({
    abi: routerAbi,
    functionName: "multicall",
    args: [
      [...payment, ...swapCalls, ...calls].map(({ to, data, value }) => ({
        target: to,
        allowFailure: false,
        value,
        callData: data,
      })),
      recipient,
      recipient,
      "0x",
    ],
  });
  return {
    to: parameters.router,
    data: concat([data, orderId]),
    value: isEvmNative(currency) ? amount : [...swapCalls, ...calls].reduce((sum, { value }) => sum + value, 0n),
  };
}

/** A transfer of the native currency or a token with the orderId at the end: a fill without calls, or a refund. */
export function transferTransaction(
  parameters: Pick<FillParameters, "orderId" | "recipient" | "currency" | "amount">,
): EvmCall {
  const { orderId, recipient, currency, amount } = parameters;
  if (isEvmNative(currency)) return { to: recipient, data: orderId, value: amount };
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [recipient, amount] });
  return { to: currency, data: concat([data, orderId]), value: 0n };
}
