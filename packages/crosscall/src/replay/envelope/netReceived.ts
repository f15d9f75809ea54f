import { type Address, type Hex, getAddress, pad, toEventSelector } from "viem";

import { EVM_NATIVE_CURRENCY } from "@crosscall/protocol/chains";
import type { CallFrame } from "../callFrame.ts";

const TRANSFER = toEventSelector("Transfer(address,address,uint256)");

/**
 * Net increase per currency by `Transfer` events and values of calls, in the smallest unit. Wrong for tokens whose
 * events do not match their balances.
 */
export function netReceived(root: CallFrame, account: Address): ReadonlyMap<Address, bigint> {
  const net = new Map<Address, bigint>();
  const [holder, word] = [getAddress(account), pad(account).toLowerCase()];
  const add = (currency: Address, amount: bigint): void => {
    net.set(currency, (net.get(currency) ?? 0n) + amount);
  };
  const visit = (frame: CallFrame): void => {
    // A failed call reverts its transfers.
    if (frame.error !== undefined) return;
    if (frame.value !== 0n && isMove(frame)) {
      if (frame.to === holder) add(EVM_NATIVE_CURRENCY, frame.value);
      if (frame.from === holder) add(EVM_NATIVE_CURRENCY, -frame.value);
    }
    for (const { address, topics, data } of frame.logs) {
      const [event, from, to] = topics;
      // The Transfer event of an NFT has a fourth topic.
      if (event !== TRANSFER || topics.length !== 3 || data.length !== 66) continue;
      if (isWord(to, word)) add(address, BigInt(data));
      if (isWord(from, word)) add(address, -BigInt(data));
    }
    frame.calls.forEach(visit);
  };
  visit(root);
  for (const [currency, amount] of net) if (amount === 0n) net.delete(currency);
  return net;
}

/** A delegated call repeats its caller's value. */
function isMove({ kind }: CallFrame): boolean {
  return kind !== "DELEGATECALL" && kind !== "CALLCODE";
}

function isWord(topic: Hex | undefined, word: string): boolean {
  return topic?.toLowerCase() === word;
}
