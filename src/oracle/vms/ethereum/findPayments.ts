import type { Address, Hex } from "viem";

import { decodeOrderCall } from "@crosscall/sdk/internal/protocol/order/orderCalls";
import { type CallEvent, readCall, readNativeTransfer, readTransfer } from "./events.ts";
import type { EvmLog, EvmTransaction } from "./evmReader.ts";

/**
 * The bytes that name the order: the memo, or the input of the last call. Only one of them counts, so that a payment
 * cannot fill two orders.
 */
export function referenceOf({ calls, memo }: EvmTransaction): Hex {
  return memo ?? calls.at(-1)?.input ?? "0x";
}

/** The transaction's own value for a plain payment, else by events of the fill contract (spec 5, section 4). */
export function nativePayment(
  { transaction, logs }: { readonly transaction: EvmTransaction; readonly logs: readonly EvmLog[] },
  { orderId, recipient, fillContract }: { orderId: Hex; recipient: Address; fillContract: () => Address },
): bigint {
  const call = transaction.calls.at(-1);
  if (call?.to === recipient && referenceOf(transaction).startsWith(orderId)) return call.value;
  const contract = fillContract();
  let paid = 0n;
  for (const log of logs) {
    if (log.address !== contract) continue;
    const payment = readNativeTransfer(log);
    if (payment?.to === recipient) paid += payment.amount;
  }
  return paid;
}

export function tokenPayment(logs: readonly EvmLog[], token: Address, recipient: Address): bigint {
  let paid = 0n;
  for (const log of logs) {
    if (log.address !== token) continue;
    const transfer = readTransfer(log);
    if (transfer?.to === recipient) paid += transfer.amount;
  }
  return paid;
}

/**
 * Whether the fill contract's events contain all calls of the order, in order; others may be in between.
 *
 * @throws {@link MalformedDataError} for a malformed call of the order
 */
export function madeCalls(logs: readonly EvmLog[], fillContract: Address, calls: readonly Hex[]): boolean {
  const made = logs.filter(({ address }) => address === fillContract).map(readCall);
  let next = 0;
  for (const encoded of calls) {
    const { to, data, value } = decodeOrderCall(encoded);
    const isSame = (call: CallEvent | undefined): boolean =>
      call?.to === to.toLowerCase() && call.data === data.toLowerCase() && call.value.toString() === value;
    const found = made.findIndex((call, index) => index >= next && isSame(call));
    if (found === -1) return false;
    next = found + 1;
  }
  return true;
}
