import { type Address, type Hex, decodeFunctionData, parseAbi } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import type { FillCall } from "../fillPlan.ts";

/** Ways in which solvers pay tokens to the router within the fill (docs/decisions, 0003, and common ones). */
const paymentAbi = parseAbi([
  "function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
  "function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
  "function transferFrom(address from, address to, uint256 value)",
]);

export interface SolverPayment {
  readonly currency: Address;
  /** Smallest unit. */
  readonly amount: bigint;
}

export function readPayment(call: FillCall, solver: Address, router: Address): SolverPayment | undefined {
  const args = decode(call.data);
  if (args === undefined) return undefined;
  const [from, to, amount] = args;
  return isSameAddress(from, solver) && isSameAddress(to, router) ? { currency: call.to, amount } : undefined;
}

function decode(data: Hex): readonly [Address, Address, bigint, ...unknown[]] | undefined {
  try {
    return decodeFunctionData({ abi: paymentAbi, data }).args;
  } catch {
    return undefined;
  }
}
