import type { Address, Hex } from "viem";

/** Spec 5, section 2. */
export const EXECUTE_AND_WITHDRAW_TYPES = {
  ExecuteAndWithdrawRequest: [
    { name: "inChainId", type: "string" },
    { name: "inCurrency", type: "bytes" },
    { name: "outChainId", type: "string" },
    { name: "outCurrency", type: "bytes" },
    { name: "outAmountMinimum", type: "uint256" },
    { name: "depository", type: "bytes" },
    { name: "orderAddress", type: "address" },
    { name: "receiver", type: "bytes" },
    { name: "data", type: "bytes" },
    { name: "fees", type: "Fee[]" },
    { name: "nonce", type: "bytes32" },
    { name: "deadline", type: "uint256" },
  ],
  Fee: [
    { name: "recipient", type: "address" },
    { name: "amount", type: "uint256" },
  ],
} as const;

/**
 * A request to the hub's executor to settle an order from a depository. Addresses are encoded by their chain's codec.
 */
export interface ExecuteAndWithdrawRequest {
  readonly inChainId: string;
  readonly inCurrency: Hex;
  readonly outChainId: string;
  readonly outCurrency: Hex;
  readonly outAmountMinimum: bigint;
  readonly depository: Hex;
  /** The order's account on the hub. */
  readonly orderAddress: Address;
  readonly receiver: Hex;
  readonly data: Hex;
  readonly fees: readonly { readonly recipient: Address; readonly amount: bigint }[];
  /** 32 bytes. */
  readonly nonce: Hex;
  /** Unix seconds. */
  readonly deadline: bigint;
}

export function executorDomain(evmChainId: number, executorAddress: Address) {
  return { name: "RelayExecutor", version: "1", chainId: evmChainId, verifyingContract: executorAddress };
}
