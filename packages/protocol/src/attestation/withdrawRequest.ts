import { type Address, encodeAbiParameters, type Hex, keccak256, parseAbiParameters, zeroAddress } from "viem";

/** EIP-712 types of a request to allocator v2 (spec 5, section 2). */
export const SUBMIT_WITHDRAW_REQUEST_TYPES = {
  SubmitWithdrawRequest: parseAbiParameters([
    "uint256 chainId, string depository, string currency, uint256 amount",
    "address spender, string receiver, bytes data, bytes32 nonce",
  ]),
} as const;

/** Allocator v3. */
export const WITHDRAW_REQUEST_TYPES = {
  WithdrawRequest: parseAbiParameters([
    "string chainId, bytes depository, bytes currency, uint256 amount",
    "string spenderChainId, bytes spender, bytes receiver, bytes data, bytes32 nonce",
  ]),
} as const;

export const HASHES_TO_SIGN_TYPES = {
  WithdrawRequest: parseAbiParameters(
    "uint256 chainId, address allocator, bytes32 withdrawRequestHash, bytes32[] hashesToSign",
  ),
} as const;

/** Request to allocator v2, with addresses as text. */
export interface SubmitWithdrawRequest {
  /** The chain's number on the hub. */
  readonly chainId: bigint;
  readonly depository: string;
  readonly currency: string;
  readonly amount: bigint;
  /** Hub account with the balance to withdraw. */
  readonly spender: Address;
  readonly receiver: string;
  readonly data: Hex;
  readonly nonce: Hex;
}

/** Request to allocator v3, with addresses encoded by their chain's codec. */
export interface WithdrawRequest {
  readonly chainId: string;
  readonly depository: Hex;
  readonly currency: Hex;
  readonly amount: bigint;
  readonly spenderChainId: string;
  readonly spender: Hex;
  readonly receiver: Hex;
  readonly data: Hex;
  readonly nonce: Hex;
}

/** Returns the id of a payload of allocator v2. */
export function hashSubmitWithdrawRequest(request: SubmitWithdrawRequest): Hex {
  const components = SUBMIT_WITHDRAW_REQUEST_TYPES.SubmitWithdrawRequest;
  return keccak256(encodeAbiParameters([{ type: "tuple", components }], [request]));
}

/** Returns the hash that identifies a request to allocator v3. */
export function hashWithdrawRequest(request: WithdrawRequest): Hex {
  const components = WITHDRAW_REQUEST_TYPES.WithdrawRequest;
  return keccak256(encodeAbiParameters([{ type: "tuple", components }], [request]));
}

/** Returns the EIP-712 domain of the allocator's spender. `evmChainId` is the allocator chain's EVM id. */
export function allocatorSpenderDomain(evmChainId: number, allocatorSpenderAddress: Address) {
  return {
    name: "RelayAllocatorSpender",
    version: "1",
    chainId: evmChainId,
    verifyingContract: allocatorSpenderAddress,
  };
}

/** Returns the EIP-712 domain of the allocator. `evmChainId` is the hub chain's EVM id. */
export function allocatorDomain(evmChainId: number, allocatorAddress: Address) {
  return { name: "RelayAllocator", version: "1", chainId: evmChainId, verifyingContract: allocatorAddress };
}

export function hashesToSignDomain(evmChainId: number) {
  return { name: "WithdrawRequest", version: "1", chainId: evmChainId, verifyingContract: zeroAddress };
}

/** EIP-712 types of an execute-and-withdraw request (spec 5, section 2). */
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
