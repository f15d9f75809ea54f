import { type Address, type Hex, keccak256, size } from "viem";

import { decodeOrderCall } from "@crosscall/protocol/order";
import { type CallEvent, readCall, readNativeTransfer, readTransfer } from "./events.ts";
import type { EvmLog, EvmTransaction } from "./evmReader.ts";

const ID_BYTES = 32;

/**
 * The bytes that name the order: a memo that is long enough, or else the input. Only one of them counts, so that a
 * payment cannot fill two orders.
 */
export function referenceOf({ input, memo = "0x" }: EvmTransaction): Hex {
  return size(memo) < ID_BYTES ? input : memo;
}

/** By events of the fill contract (spec 5, section 4). */
export function nativePayment(logs: readonly EvmLog[], fillContract: Address, recipient: Address): bigint {
  let paid = 0n;
  for (const log of logs) {
    if (log.address !== fillContract) continue;
    const payment = readNativeTransfer(log);
    if (payment?.to === recipient) paid += payment.amount;
  }
  return paid;
}

/** A transfer from the recipient to itself pays nothing. */
export function tokenPayment(logs: readonly EvmLog[], token: Address, recipient: Address): bigint {
  let paid = 0n;
  for (const log of logs) {
    if (log.address !== token) continue;
    const transfer = readTransfer(log);
    if (transfer?.to === recipient && transfer.from !== recipient) paid += transfer.amount;
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
    const dataHash = keccak256(data as Hex);
    const isSame = (call: CallEvent | undefined): boolean =>
      call?.to === to.toLowerCase() && call.dataHash === dataHash && call.value.toString() === value;
    const found = made.findIndex((call, index) => index >= next && isSame(call));
    if (found === -1) return false;
    next = found + 1;
  }
  return true;
}
