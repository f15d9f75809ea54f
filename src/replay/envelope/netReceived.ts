import { type Address, type Hex, getAddress, pad, toEventSelector } from "viem";

import { EVM_NATIVE_CURRENCY } from "@crosscall/sdk/internal/chains/address";
import type { CallFrame } from "../callFrame.ts";

const TRANSFER = toEventSelector("Transfer(address,address,uint256)");

/**
 * What an account has more of each currency after a call, as the `Transfer` events of tokens and the values of calls
 * tell; in the smallest unit, without what it has neither more nor less of. Tokens whose events do not tell their
 * balances are not seen through.
 */
export function netReceived(root: CallFrame, account: Address): ReadonlyMap<Address, bigint> {
  const net = new Map<Address, bigint>();
  const [holder, word] = [getAddress(account), pad(account).toLowerCase()];
  const add = (currency: Address, amount: bigint): void => {
    net.set(currency, (net.get(currency) ?? 0n) + amount);
  };
  const visit = (frame: CallFrame): void => {
    // What a failed call moved is moved back.
    if (frame.error !== undefined) return;
    if (frame.value !== 0n && isMove(frame)) {
      if (frame.to === holder) add(EVM_NATIVE_CURRENCY, frame.value);
      if (frame.from === holder) add(EVM_NATIVE_CURRENCY, -frame.value);
    }
    for (const { address, topics, data } of frame.logs) {
      const [event, from, to] = topics;
      // The event of an NFT has a fourth topic.
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

/** Code that runs in its caller's place has its caller's value, which came before. */
function isMove({ kind }: CallFrame): boolean {
  return kind !== "DELEGATECALL" && kind !== "CALLCODE";
}

function isWord(topic: Hex | undefined, word: string): boolean {
  return topic?.toLowerCase() === word;
}
