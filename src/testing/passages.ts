import { type Address, type Hex, toFunctionSelector } from "viem";

import { isSameAddress } from "../chains/address.ts";
import type { CallFrame } from "../replay/callFrame.ts";
import type { Passage } from "./fill.ts";

const LIMITS = "(address,uint256,uint256,uint256)";

/** The functions of the kit's contracts by which a fill passes them; proxies built on the kit's base have the same. */
const KINDS: ReadonlyMap<Hex, Passage["kind"]> = new Map([
  ...["execute", "executeNative", "repay", "repayNative"].map(
    (name) => [toFunctionSelector(`${name}${LIMITS}`), "proxy"] as const,
  ),
  ...["execute(bytes)", "pull(address,bytes)"].map((signature) => [toFunctionSelector(signature), "executor"] as const),
]);

/** Finds the contracts that the funds of a fill only pass: the router, and the proxies and executors that it called. */
export function findPassages(trace: CallFrame, router: Address, others: readonly Passage[]): readonly Passage[] {
  const found: Passage[] = [{ account: router, kind: "router" }];
  const add = (passage: Passage): void => {
    if (!found.some(({ account }) => isSameAddress(account, passage.account))) found.push(passage);
  };
  const follow = ({ from, to, input, calls }: CallFrame): void => {
    const kind = KINDS.get(input.slice(0, 10) as Hex);
    if (kind !== undefined && to !== undefined && found.some(({ account }) => isSameAddress(account, from))) {
      add({ account: to, kind });
    }
    calls.forEach(follow);
  };
  follow(trace);
  others.forEach(add);
  return found;
}
