import type { Hex } from "viem";

import type { DecodedArgument } from "./decodedCall.ts";
import { encodeInnerFunction } from "./knownFunctions.ts";
import { readArgument } from "./readArgument.ts";

/** Inner call that is not decoded yet. */
export interface InnerCall {
  readonly to: string;
  readonly data: string;
  readonly value: string;
  readonly isByRouter: boolean;
  /** Whether the outer call succeeds if this call fails. */
  readonly mayFail?: boolean;
}

interface Outer {
  readonly to: string;
  readonly isByRouter: boolean;
  readonly signature: string;
  readonly args: readonly DecodedArgument[];
}

interface Entry {
  readonly target: string;
  readonly allowFailure?: boolean;
  readonly value?: bigint;
  readonly callData: Hex;
}

/** Functions with which a contract delegatecalls itself, so that inner calls have the outer caller and value. */
export const DELEGATED: ReadonlySet<string> = new Set([
  "multicall(bytes[])",
  "multicall(uint256,bytes[])",
  "multicall(bytes32,bytes[])",
  "permitAndCall(bytes,bytes)",
]);

/** Functions with commands of the universal router, by the kind of their bytes. */
const PACKED: Readonly<Record<string, "command" | "action">> = {
  "execute(bytes,bytes[])": "command",
  "execute(bytes,bytes[],uint256)": "command",
  "executeSigned(bytes,bytes[],bytes32,bytes32,bool,bytes32,bytes,uint256)": "command",
  "EXECUTE_SUB_PLAN(bytes,bytes[])": "command",
  "V4_SWAP(bytes,bytes[])": "action",
};

/** High bit of a command, which lets it fail, and the bits of its number (Uniswap/universal-router, Commands.sol). */
const ALLOW_REVERT = 0x80;
const COMMAND_BITS = 0x7f;

const CALLS = "(address,bool,uint256,bytes)[]";

/** Lists the inner calls of functions of the router, Multicall3 and contracts that call themselves. */
export function listInnerCalls({ to, isByRouter, signature, args }: Outer): InnerCall[] {
  const read = (path: string): unknown => readArgument(args, path);
  const kind = PACKED[signature];
  if (kind !== undefined) {
    const [codes, inputs] = [kind === "command" ? "commands" : "actions", kind === "command" ? "inputs" : "params"];
    return listCommands(kind, read(codes) as Hex, read(inputs) as readonly Hex[]).map((command) => ({
      ...command,
      to,
      value: "0",
      isByRouter,
    }));
  }
  if (signature === "permitAndCall(bytes,bytes)") {
    return [{ to, data: read("action") as Hex, value: "0", isByRouter }];
  }
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
    case "aggregate((address,bytes)[])":
      return entriesOf(read("calls"), false);
    case "tryAggregate(bool,(address,bytes)[])":
      return entriesOf(read("calls"), false, read("requireSuccess") === false);
    case "exec(address,address,uint256,address,bytes)":
      // The target pays the caller, which AllowanceHolder passes on.
      return [{ to: read("target") as string, data: read("data") as Hex, value: "0", isByRouter }];
    case "execute((address,address,uint256),bytes[],bytes32)":
      return (read("actions") as readonly Hex[]).map((data) => ({ to, data, value: "0", isByRouter }));
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

function entriesOf(entries: unknown, isByRouter: boolean, mayFail = false): InnerCall[] {
  return (entries as readonly Entry[]).map(({ target, allowFailure = mayFail, value = 0n, callData }) => ({
    to: target,
    data: callData,
    value: String(value),
    isByRouter,
    mayFail: allowFailure,
  }));
}

function listCommands(
  kind: "command" | "action",
  codes: Hex,
  inputs: readonly Hex[],
): Pick<InnerCall, "data" | "mayFail">[] {
  return inputs.slice(0, (codes.length - 2) / 2).map((input, index) => {
    const code = Number.parseInt(codes.slice(2 + 2 * index, 4 + 2 * index), 16);
    return kind === "action"
      ? { data: encodeInnerFunction(kind, code, input) }
      : { data: encodeInnerFunction(kind, code & COMMAND_BITS, input), mayFail: (code & ALLOW_REVERT) !== 0 };
  });
}

/** Formats an amount, in which zero means the router's whole balance. */
function amountOf(amount: unknown): string {
  return amount === 0n ? "all" : String(amount);
}
