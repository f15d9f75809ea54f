import { type Address, type Hex, concat, encodeFunctionData, erc20Abi, size } from "viem";

import { routerAbi } from "@crosscall/protocol/abi";
import { isEvmNative } from "@crosscall/protocol/chains";
import type { EvmCall } from "../devchain/devChain.ts";

export interface FillParameters {
  readonly orderId: Hex;
  readonly router: Address;
  /** Recipient of a fill without calls, or of the leftovers of calls. */
  readonly recipient: Address;
  readonly currency: Address;
  readonly amount: bigint;
  /** Calls that swap for the output currency, if the solver does not hold it. */
  readonly swapCalls?: readonly EvmCall[];
  readonly calls: readonly EvmCall[];
  /** Calls that transfer the solver's tokens to the router, if the order has calls and a token. */
  readonly tokenPayment: EvmCall | undefined;
}

/**
 * Builds a plain native transfer, a token transfer, or a multicall with the order's calls. The call data always ends
 * with the orderId.
 */
export function fillTransaction(parameters: FillParameters): EvmCall {
  const { orderId, recipient, currency, amount, calls, swapCalls = [] } = parameters;
  if (calls.length === 0 && swapCalls.length === 0)
    return transferTransaction({ orderId, recipient, currency, amount });
  const payment = parameters.tokenPayment === undefined ? [] : [parameters.tokenPayment];
  const data = encodeMulticall([...payment, ...swapCalls, ...calls], recipient);
  return {
    to: parameters.router,
    data: concat([data, orderId]),
    value: isEvmNative(currency) ? amount : [...swapCalls, ...calls].reduce((sum, { value }) => sum + value, 0n),
  };
}

/** Encodes the call data for the router. Each call must succeed, and leftovers go to one address. */
export function encodeMulticall(calls: readonly EvmCall[], leftoverTo: Address): Hex {
  const all = calls.map(({ to, data, value }) => ({ target: to, allowFailure: false, value, callData: data }));
  return encodeFunctionData({ abi: routerAbi, functionName: "multicall", args: [all, leftoverTo, leftoverTo, "0x"] });
}

/** Builds a transfer with the orderId appended, for a fill without calls or a refund. */
export function transferTransaction(
  parameters: Pick<FillParameters, "orderId" | "recipient" | "currency" | "amount">,
): EvmCall {
  const { orderId, recipient, currency, amount } = parameters;
  if (isEvmNative(currency)) return { to: recipient, data: orderId, value: amount };
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [recipient, amount] });
  return { to: currency, data: concat([data, orderId]), value: 0n };
}

/**
 * Builds the same native transfer through the router, whose own transfer has no call data. Contracts with only a
 * `receive` function reject the orderId as call data, and so do accounts that delegate to one (EIP-7702).
 *
 * @returns undefined if the transaction is not a plain native transfer
 */
export function transferThroughRouter(transfer: EvmCall, router: Address): EvmCall | undefined {
  const { to: recipient, data: orderId, value } = transfer;
  if (value === 0n || size(orderId) !== 32) return undefined;
  const data = encodeFunctionData({ abi: routerAbi, functionName: "cleanupNative", args: [value, recipient, "0x"] });
  return {
    ...transfer,
    to: router,
    data: concat([encodeMulticall([{ to: router, data, value: 0n }], recipient), orderId]),
  };
}
