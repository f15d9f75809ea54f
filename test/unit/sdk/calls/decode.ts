import { type AbiFunction, type Hex, decodeFunctionData, encodeFunctionData, parseAbi } from "viem";

import type { Call } from "../../../../packages/protocol/src/common/call.ts";

// Written from spec 4, section 3 and EIP-20, independent of the build: the encodings must match the live contracts.
const abi = parseAbi([
  "function approve(address spender, uint256 amount)",
  "function execute(address recipient, uint256 minimumIn, uint256 minimumOut, uint256 deadline)",
  "function repay(address borrower, uint256 minimumIn, uint256 minimumRepaid, uint256 deadline)",
  "function cleanupNativeViaCall(uint256 amount, address to, bytes data)",
  "function cleanupErc20s(address[] tokens, address[] recipients, uint256[] amounts, bytes metadata)",
  "function cleanupNative(uint256 amount, address recipient, bytes metadata)",
]);

/** A readable call: target, function, arguments and value. */
export interface ReadCall {
  readonly to: string;
  readonly name: AbiFunction["name"];
  readonly args: readonly unknown[];
  readonly value: string;
}

/** Decodes a call with the published ABIs, and requires that its data ends with the arguments. */
export function readCall({ to, data, value }: Call): ReadCall {
  const { functionName: name, args } = decodeFunctionData({ abi, data: data as Hex });
  const again = encodeFunctionData({ abi, functionName: name, args });
  if (again !== data) throw new Error(`${name} has bytes after its arguments`);
  return { to, name, args, value };
}
