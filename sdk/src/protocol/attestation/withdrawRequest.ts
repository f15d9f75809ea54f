import { type Address, type Hex, encodeAbiParameters, keccak256, zeroAddress } from "viem";

/** EIP-712 types of a request to the allocator of the second version (spec 5, section 2). */
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

/** EIP-712 types of a request to the allocator of the third version. */
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

/** EIP-712 types of the hashes that a withdraw request has its allocator sign. */
export const HASHES_TO_SIGN_TYPES = {
  WithdrawRequest: [
    { name: "chainId", type: "uint256" },
    { name: "allocator", type: "address" },
    { name: "withdrawRequestHash", type: "bytes32" },
    { name: "hashesToSign", type: "bytes32[]" },
  ],
} as const;

/** A request to the allocator of the second version: addresses as text. */
export interface SubmitWithdrawRequest {
  /** The number of the chain to withdraw on, as the hub counts. */
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

/** A request to the allocator of the third version: addresses encoded by their chain's codec. */
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

/** The id of a payload of the allocator of the second version. */
export function hashSubmitWithdrawRequest(request: SubmitWithdrawRequest): Hex {
  const components = SUBMIT_WITHDRAW_REQUEST_TYPES.SubmitWithdrawRequest;
  return keccak256(encodeAbiParameters([{ type: "tuple", components }], [request]));
}

/** Returns the hash that identifies a request at the allocator of the third version. */
export function hashWithdrawRequest(request: WithdrawRequest): Hex {
  const components = WITHDRAW_REQUEST_TYPES.WithdrawRequest;
  return keccak256(encodeAbiParameters([{ type: "tuple", components }], [request]));
}

/** The EIP-712 domain of requests to the allocator of the second version, on the allocator's chain. */
export function allocatorSpenderDomain(evmChainId: number, allocatorSpenderAddress: Address) {
  return {
    name: "RelayAllocatorSpender",
    version: "1",
    chainId: evmChainId,
    verifyingContract: allocatorSpenderAddress,
  };
}

/** The EIP-712 domain of requests to the allocator of the third version, on the hub's chain. */
export function allocatorDomain(evmChainId: number, allocatorAddress: Address) {
  return { name: "RelayAllocator", version: "1", chainId: evmChainId, verifyingContract: allocatorAddress };
}

/** The EIP-712 domain of the hashes that a withdraw request has its allocator sign. */
export function hashesToSignDomain(evmChainId: number) {
  return { name: "WithdrawRequest", version: "1", chainId: evmChainId, verifyingContract: zeroAddress };
}
