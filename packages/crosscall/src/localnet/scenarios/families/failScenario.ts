import { type Abi, type Address, encodeErrorResult, encodeFunctionData, type Hex, parseAbi } from "viem";

import type { DevChain, EvmCall } from "../../devchain/devChain.ts";
import type { FillFault } from "../requestFaults.ts";
import type { ScenarioText } from "../scenario.ts";

export interface FillFacts {
  readonly chain: DevChain;
  readonly solver: Address;
  readonly recipient: Address;
}

export type FailAct =
  /** The solver reports the reason. */
  | { readonly kind: "simulated" }
  /** The fill makes this call, which reverts, before the user's calls. */
  | { readonly kind: "call"; readonly call: (facts: FillFacts) => EvmCall | Promise<EvmCall> }
  /** The solver handles the fill differently. */
  | { readonly kind: "fill"; readonly fault: FillFault }
  /** The deposit's blocks are replaced after the solver has seen it. */
  | { readonly kind: "reorg" }
  /** The quote's steps make a deposit that differs from the order. */
  | { readonly kind: "deposit"; readonly change: DepositChange };

/**
 * Change to the deposit: half of the amount, at most the execution fee, the smallest unit, another currency, on the
 * destination chain, or twice.
 */
export type DepositChange = "half" | "fee" | "dust" | "currency" | "chain" | "twice";

export interface FailScenario extends ScenarioText {
  readonly act: FailAct;
}

/**
 * Code that reverts with its call data, to produce the revert data of any contract. Opcodes, with returndatasize as 0:
 * calldatasize returndatasize returndatasize calldatacopy calldatasize returndatasize revert.
 */
export const REVERTER = {
  address: "0x5ce0a1105ce0a1105ce0a1105ce0a1105ce0a110",
  code: "0x363d3d37363dfd",
} as const;

/**
 * Code that reads memory at the offset in its call data. This uses a lot of gas, but little of the node's time:
 * returndatasize calldataload mload stop.
 */
export const GAS_EATER = {
  address: "0x5ce0a1105ce0a1105ce0a1105ce0a1105ce0a111",
  code: "0x3d355100",
} as const;

/** Code that reverts only in a block, where the gas price is not zero: gasprice push1-4 jumpi stop, then the revert. */
export const BLOCK_REVERTER = {
  address: "0x5ce0a1105ce0a1105ce0a1105ce0a1105ce0a112",
  code: "0x3a600557005b60006000fd",
} as const;

/** Returns a scenario that nothing on a local chain can cause. */
export function simulated(what: string, hint: string): FailScenario {
  return { how: "simulated", what, hint, act: { kind: "simulated" } };
}

export function byCall(
  what: string,
  hint: string,
  call: (facts: FillFacts) => EvmCall | Promise<EvmCall>,
): FailScenario {
  return { how: "chain", what, hint, act: { kind: "call", call } };
}

export function byRevert(what: string, hint: string, data: Hex): FailScenario {
  return byCall(what, hint, () => ({ to: REVERTER.address, data, value: 0n }));
}

/** Returns the revert data of `require(false, text)`. */
export function errorText(text: string): Hex {
  return encodeErrorResult({ abi: parseAbi(["error Error(string)"]), errorName: "Error", args: [text] });
}

/** @param signature Solidity signature, such as `error Expired(uint256 deadline)` */
export function errorData(signature: string, ...args: readonly unknown[]): Hex {
  const abi: Abi = parseAbi([signature] as readonly string[]);
  return encodeErrorResult({ abi, args });
}

export function callOf(to: Address, signature: string, ...args: readonly unknown[]): EvmCall {
  const abi: Abi = parseAbi([signature] as readonly string[]);
  return { to, data: encodeFunctionData({ abi, args }), value: 0n };
}
