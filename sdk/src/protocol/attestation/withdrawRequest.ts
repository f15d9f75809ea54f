import { type Address, type Hex, encodeAbiParameters, keccak256, zeroAddress } from "viem";

/** Allocator v2 (spec 5, section 2). */
export const SUBMIT_WITHDRAW_REQUEST_TYPES = {
  SubmitWithdrawRequest: [
    { name: "chainId", type: "uint256" },
    { name: "depository", type: "string" },
    { name: "currency", type: "string" },
    { name: "amount", type: "uint256" },
    { name: "spender", type: "address" },
    { name: "receiver", type: "string" },
    { name: "data", type: "bytes" },
    { name: "nonce", type: "bytes32" },
  ],
} as const;

/** Allocator v3. */
export const WITHDRAW_REQUEST_TYPES = {
  WithdrawRequest: [
    { name: "chainId", type: "string" },
    { name: "depository", type: "bytes" },
    { name: "currency", type: "bytes" },
    { name: "amount", type: "uint256" },
    { name: "spenderChainId", type: "string" },
    { name: "spender", type: "bytes" },
    { name: "receiver", type: "bytes" },
    { name: "data", type: "bytes" },
    { name: "nonce", type: "bytes32" },
  ],
} as const;

export const HASHES_TO_SIGN_TYPES = {
  WithdrawRequest: [
    { name: "chainId", type: "uint256" },
    { name: "allocator", type: "address" },
    { name: "withdrawRequestHash", type: "bytes32" },
    { name: "hashesToSign", type: "bytes32[]" },
  ],
} as const;

/** Allocator v2: addresses as text. */
export interface SubmitWithdrawRequest {
  /** The chain's number on the hub. */
  readonly chainId: bigint;
  readonly depository: string;
  readonly currency: string;
  readonly amount: bigint;
  /** The hub account whose balance is withdrawn. */
  readonly spender: Address;
  readonly receiver: string;
  readonly data: Hex;
  readonly nonce: Hex;
}

/** Allocator v3: addresses encoded by their chain's codec. */
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

/** The id of allocator v2's payload. */
export function hashSubmitWithdrawRequest(request: SubmitWithdrawRequest): Hex {
  const components = SUBMIT_WITHDRAW_REQUEST_TYPES.SubmitWithdrawRequest;
  return keccak256(encodeAbiParameters([{ type: "tuple", components }], [request]));
}

/** Returns the hash that identifies a request at the allocator of the third version. */
export function hashWithdrawRequest(request: WithdrawRequest): Hex {
  const components = WITHDRAW_REQUEST_TYPES.WithdrawRequest;
  return keccak256(encodeAbiParameters([{ type: "tuple", components }], [request]));
}

/** On the allocator's chain. */
export function allocatorSpenderDomain(evmChainId: number, allocatorSpenderAddress: Address) {
  return {
    name: "RelayAllocatorSpender",
    version: "1",
    chainId: evmChainId,
    verifyingContract: allocatorSpenderAddress,
  };
}

/** On the hub's chain. */
export function allocatorDomain(evmChainId: number, allocatorAddress: Address) {
  return { name: "RelayAllocator", version: "1", chainId: evmChainId, verifyingContract: allocatorAddress };
}

export function hashesToSignDomain(evmChainId: number) {
  return { name: "WithdrawRequest", version: "1", chainId: evmChainId, verifyingContract: zeroAddress };
}
