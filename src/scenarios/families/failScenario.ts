import { type Abi, type Address, type Hex, encodeErrorResult, encodeFunctionData, parseAbi } from "viem";

import type { DevChain, EvmCall } from "../../devchain/devChain.ts";
import type { FillFault } from "../fillFault.ts";
import type { ScenarioText } from "../scenario.ts";

/** What a provoking call is made from. */
export interface FillFacts {
  /** The destination. */
  readonly chain: DevChain;
  readonly solver: Address;
  readonly recipient: Address;
}

/** What a failReason is provoked by. */
export type FailAct =
  /** The solver is told the reason. */
  | { readonly kind: "simulated" }
  /** The fill runs this call before the user's, and reverts by it. */
  | { readonly kind: "call"; readonly call: (facts: FillFacts) => EvmCall | Promise<EvmCall> }
  /** The solver handles the fill otherwise. */
  | { readonly kind: "fill"; readonly fault: FillFault }
  /** The deposit's blocks are replaced once the solver has seen it. */
  | { readonly kind: "reorg" }
  /** The quote's steps lead to another deposit than the order has. */
  | { readonly kind: "deposit"; readonly change: DepositChange };

/**
 * How a deposit differs from its order: half of the amount, no more than the fee of the execution, the smallest unit,
 * another currency, on the destination chain, or made twice.
 */
export type DepositChange = "half" | "fee" | "dust" | "currency" | "chain" | "twice";

/** A failReason, and how it is provoked. */
export interface FailScenario extends ScenarioText {
  readonly act: FailAct;
}

/**
 * Code that reverts with its own call data, at an address of its own on each local chain: so any contract's refusal can
 * be made, with the very bytes of that contract. Its opcodes, where returndatasize stands for 0: calldatasize
 * returndatasize returndatasize calldatacopy calldatasize returndatasize revert.
 */
export const REVERTER = {
  address: "0x5ce0a1105ce0a1105ce0a1105ce0a1105ce0a110",
  code: "0x363d3d37363dfd",
} as const;

/**
 * Code that reads memory as far out as its call data says, which costs gas by the square of it and the node next to
 * nothing: returndatasize calldataload mload stop.
 */
export const GAS_EATER = {
  address: "0x5ce0a1105ce0a1105ce0a1105ce0a1105ce0a111",
  code: "0x3d355100",
} as const;

/** Code that reverts in blocks only, where gas has a price: gasprice push1-4 jumpi stop, then what reverts. */
export const BLOCK_REVERTER = {
  address: "0x5ce0a1105ce0a1105ce0a1105ce0a1105ce0a112",
  code: "0x3a600557005b60006000fd",
} as const;

/** A reason that nothing on a local chain can cause. */
export function simulated(what: string, hint: string): FailScenario {
  return { how: "simulated", what, hint, act: { kind: "simulated" } };
}

/** A reason that a call of the fill causes. */
export function byCall(
  what: string,
  hint: string,
  call: (facts: FillFacts) => EvmCall | Promise<EvmCall>,
): FailScenario {
  return { how: "chain", what, hint, act: { kind: "call", call } };
}

/** A reason that a call of the fill causes by reverting with these bytes. */
export function byRevert(what: string, hint: string, data: Hex): FailScenario {
  return byCall(what, hint, () => ({ to: REVERTER.address, data, value: 0n }));
}

/** Revert data of `require(false, text)`. */
export function errorText(text: string): Hex {
  return encodeErrorResult({ abi: parseAbi(["error Error(string)"]), errorName: "Error", args: [text] });
}

/**
 * Revert data of a custom error.
 *
 * @param signature as Solidity writes it: `error Expired(uint256 deadline)`
 */
export function errorData(signature: string, ...args: readonly unknown[]): Hex {
  const abi: Abi = parseAbi([signature] as readonly string[]);
  return encodeErrorResult({ abi, args });
}

/** A call of a contract without value. */
export function callOf(to: Address, signature: string, ...args: readonly unknown[]): EvmCall {
  const abi: Abi = parseAbi([signature] as readonly string[]);
  return { to, data: encodeFunctionData({ abi, args }), value: 0n };
}
