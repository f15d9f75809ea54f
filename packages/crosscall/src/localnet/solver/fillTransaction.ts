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
  /** Native currency that `swapCalls` transfer from the router for gas, in wei. */
  readonly gasTopup?: bigint;
  readonly calls: readonly EvmCall[];
  /** Calls that transfer the solver's tokens to the router, if the order has calls and a token. */
  readonly tokenPayment: EvmCall | undefined;
}

/**
 * Builds a plain native transfer, a token transfer, or a multicall with the order's calls. The call data always ends
 * with the orderId.
 */
export function fillTransaction(parameters: FillParameters): EvmCall {
  const { orderId, router, recipient, currency, amount, calls, swapCalls = [], gasTopup = 0n } = parameters;
  if (calls.length === 0 && swapCalls.length === 0)
    return transferTransaction({ orderId, recipient, currency, amount });
  // Oracles read native payments to the router from the event that it emits on receipt, not from the call's value.
  const payment = isEvmNative(currency) ? { to: router, data: "0x" as const, value: amount } : parameters.tokenPayment;
  const data = encodeMulticall([...(payment === undefined ? [] : [payment]), ...swapCalls, ...calls], recipient);
  return {
    to: router,
    data: concat([data, orderId]),
    value: isEvmNative(currency) ? amount : [...swapCalls, ...calls].reduce((sum, { value }) => sum + value, gasTopup),
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
  const calls = [nativeFromRouter(router, recipient, value)];
  return { ...transfer, to: router, data: concat([encodeMulticall(calls, recipient), orderId]) };
}

/** Builds the router's call of itself that transfers some of its native currency and emits an event. */
export function nativeFromRouter(router: Address, recipient: Address, amount: bigint): EvmCall {
  const data = encodeFunctionData({ abi: routerAbi, functionName: "cleanupNative", args: [amount, recipient, "0x"] });
  return { to: router, data, value: 0n };
}
