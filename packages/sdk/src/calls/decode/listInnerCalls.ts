import type { Hex } from "viem";

import type { DecodedArgument } from "./decodedCall.ts";
import { readArgument } from "./readArgument.ts";

/** Inner call that is not decoded yet. */
export interface InnerCall {
  readonly to: string;
  readonly data: string;
  readonly value: string;
  readonly isByRouter: boolean;
}

interface Outer {
  readonly to: string;
  readonly isByRouter: boolean;
  readonly signature: string;
  readonly args: readonly DecodedArgument[];
}

interface Entry {
  readonly target: string;
  readonly value?: bigint;
  readonly callData: Hex;
}

/** Functions with which a contract delegatecalls itself, so that inner calls have the outer caller and value. */
export const DELEGATED: ReadonlySet<string> = new Set(["multicall(bytes[])", "multicall(uint256,bytes[])"]);

const CALLS = "(address,bool,uint256,bytes)[]";

/** Lists the inner calls of functions of the router, Multicall3 and contracts that call themselves. */
export function listInnerCalls({ to, isByRouter, signature, args }: Outer): InnerCall[] {
  const read = (path: string): unknown => readArgument(args, path);
  if (DELEGATED.has(signature)) {
    return (read("data") as readonly Hex[]).map((data) => ({ to, data, value: "0", isByRouter }));
  }
  // The proxy's router makes the calls; it can be a different router.
  if (/^(permit(2|3009)?T|t)ransferAndMulticall\(/u.test(signature)) return entriesOf(read("calls"), false);
  switch (signature) {
    case `multicall(${CALLS},address,address,bytes)`:
    case `multicall(${CALLS},address,address)`:
      // The target is the router that makes the calls: the same router in a self-call.
      return entriesOf(read("calls"), isByRouter);
    case `aggregate3Value(${CALLS})`:
    case "aggregate3((address,bool,bytes)[])":
      return entriesOf(read("calls"), false);
    case "cleanupErc20sViaCall(address[],address[],bytes[],uint256[])": {
      const [tos, datas] = [read("tos") as readonly string[], read("datas") as readonly Hex[]];
      return tos.map((target, index) => ({ to: target, data: datas[index] ?? "0x", value: "0", isByRouter }));
    }
    case "cleanupNativeViaCall(uint256,address,bytes)":
      return [{ to: read("to") as string, data: read("data") as Hex, value: amountOf(read("amount")), isByRouter }];
    default:
      return [];
  }
}

function entriesOf(entries: unknown, isByRouter: boolean): InnerCall[] {
  return (entries as readonly Entry[]).map(({ target, value = 0n, callData }) => ({
    to: target,
    data: callData,
    value: String(value),
    isByRouter,
  }));
}

/** Formats an amount, in which zero means the router's whole balance. */
function amountOf(amount: unknown): string {
  return amount === 0n ? "all" : String(amount);
}
