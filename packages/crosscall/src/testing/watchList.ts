import { type Address, getAddress, type Hex, slice } from "viem";

import { EVM_NATIVE_CURRENCY, isEvmNative } from "@crosscall/protocol/chains";
import type { TouchedBalance } from "../replay/effects/listTouched.ts";
import type { CallFrame } from "../replay/callFrame.ts";

/** Whom to watch whatever the calls say. */
export interface WatchedParties {
  readonly accounts: readonly Address[];
  readonly currencies: readonly Address[];
}

/** An address in a word; numbers are hardly ever as large as this takes addresses to be. */
const ADDRESS_WORD = /^0x0{24}(?!0{24})[0-9a-f]{40}$/iu;

/**
 * Lists the balances that a fill may change. Every contract that logs is taken for a token, NFTs and lenders among them,
 * and every account in the topics of its logs for a holder: tokens log their movements in more ways than one.
 */
export function listWatched(trace: CallFrame, parties: WatchedParties): readonly TouchedBalance[] {
  const accounts = new Set(parties.accounts.map((account) => getAddress(account)));
  const tokens = new Set(parties.currencies.map((currency) => getAddress(currency)));
  const paid = new Set(accounts);
  const follow = ({ value, from, to, logs, calls }: CallFrame): void => {
    if (value > 0n && to !== undefined) paid.add(from).add(to);
    for (const { address, topics } of logs) {
      tokens.add(getAddress(address));
      topics
        .slice(1)
        .flatMap(accountIn)
        .forEach((account) => accounts.add(account));
    }
    calls.forEach(follow);
  };
  follow(trace);
  return [
    ...[...paid].map((account) => ({ account, currency: EVM_NATIVE_CURRENCY })),
    ...[...tokens]
      .filter((token) => !isEvmNative(token))
      .flatMap((currency) => [...accounts].map((account) => ({ account, currency }))),
  ];
}

function accountIn(topic: Hex): Address[] {
  return ADDRESS_WORD.test(topic) ? [getAddress(slice(topic, 12))] : [];
}
