import type { Address } from "viem";

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

export function executorDomain(evmChainId: number, executorAddress: Address) {
  return { name: "RelayExecutor", version: "1", chainId: evmChainId, verifyingContract: executorAddress };
}
