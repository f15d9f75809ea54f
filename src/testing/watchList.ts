import { type Address, erc20Abi, getAddress, type Hex, slice, toEventSelector, toFunctionSelector } from "viem";
import { decodeFunctionData } from "viem/utils";

import type { CallFrame, FrameLog } from "../replay/callFrame.ts";

/** An allowance that a fill may change. */
export interface WatchedAllowance {
  readonly token: Address;
  readonly owner: Address;
  readonly spender: Address;
}

/** What a fill may change. Not all of `tokens` must be tokens. */
export interface WatchList {
  readonly accounts: readonly Address[];
  readonly tokens: readonly Address[];
  /** Accounts whose native may change. */
  readonly nativeAccounts: readonly Address[];
  readonly allowances: readonly WatchedAllowance[];
}

const APPROVAL = toEventSelector("Approval(address,address,uint256)");
const APPROVE = toFunctionSelector("approve(address,uint256)");

/** An address in a word; numbers are hardly ever as large as this takes addresses to be. */
const ADDRESS_WORD = /^0x0{24}(?!0{24})[0-9a-f]{40}$/iu;

/**
 * Lists what a fill may change, from its calls: every contract that logs is taken for a token, and every account in the
 * topics of its logs for a holder, because tokens log their movements in more ways than one.
 */
export function listWatched(trace: CallFrame): WatchList {
  const [accounts, tokens, nativeAccounts] = [new Set<Address>(), new Set<Address>(), new Set<Address>()];
  const allowances = new Map<string, WatchedAllowance>();
  const watch = (allowance: WatchedAllowance): void => void allowances.set(Object.values(allowance).join(), allowance);
  const follow = (frame: CallFrame): void => {
    if (frame.value > 0n)
      [frame.from, frame.to].forEach((account) => account && nativeAccounts.add(getAddress(account)));
    readApprove(frame).forEach(watch);
    for (const log of frame.logs) {
      tokens.add(getAddress(log.address));
      log.topics
        .slice(1)
        .flatMap(accountIn)
        .forEach((account) => accounts.add(account));
      readApproval(log).forEach(watch);
    }
    frame.calls.forEach(follow);
  };
  follow(trace);
  return {
    accounts: [...accounts],
    tokens: [...tokens],
    nativeAccounts: [...nativeAccounts],
    allowances: [...allowances.values()],
  };
}

function accountIn(topic: Hex): Address[] {
  return ADDRESS_WORD.test(topic) ? [getAddress(slice(topic, 12))] : [];
}

function readApproval({ address, topics }: FrameLog): WatchedAllowance[] {
  const [selector, owner, spender, ...others] = topics;
  // With a third indexed argument it is the approval of an NFT.
  if (selector !== APPROVAL || owner === undefined || spender === undefined || others.length > 0) return [];
  return [{ token: getAddress(address), owner: getAddress(slice(owner, 12)), spender: getAddress(slice(spender, 12)) }];
}

/** Some tokens do not log their approvals. */
function readApprove({ kind, from, to, input, error }: CallFrame): WatchedAllowance[] {
  if (kind !== "CALL" || to === undefined || error !== undefined || input.slice(0, 10) !== APPROVE) return [];
  try {
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: input });
    if (functionName !== "approve") return [];
    return [{ token: getAddress(to), owner: getAddress(from), spender: args[0] }];
  } catch {
    return [];
  }
}
