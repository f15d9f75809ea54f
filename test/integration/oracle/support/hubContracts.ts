import { type Address, parseAbi } from "viem";

/** Contracts that oracles read on the hub and on allocator v2's chain. */
export const HUB_ABI = parseAbi([
  "function HUB() view returns (address)",
  "function balanceOf(address, uint256) view returns (uint256)",
]);
export const MAPPING_ABI = parseAbi(["function getEntry(address, bytes32) view returns (bytes, uint256)"]);
export const ALLOCATOR_V2_ABI = parseAbi([
  "function payloads(bytes32) view returns (bytes)",
  "function payloadBuilders(uint256, string) view returns (address)",
  "function signedPayloads(bytes32, bytes32) view returns (bytes)",
]);
export const ALLOCATOR_V3_ABI = parseAbi([
  "function payloads(bytes32) view returns (bytes)",
  "function payloadBuilders(string, bytes) view returns (address)",
  "function hashesToSign(bytes32, uint256) view returns (bytes32)",
]);
export const BUILDER_ABI = parseAbi([
  "function family() view returns (string)",
  "function hashToSign(uint256, string, bytes, uint32) view returns (bytes32)",
]);
export const EXECUTOR_ABI = parseAbi(["function orderAddressByWithdrawRequestHash(bytes32) view returns (address)"]);
export const MANAGER_ABI = parseAbi(["function triggers(bytes32) view returns (bytes32)"]);
export const LIMITER_ABI = parseAbi(["function canConsume(string, bytes, uint256) view returns (bool)"]);

/** Addresses of the stand-ins for these contracts. */
export const ALLOCATOR_V2: Address = "0x00000000000000000000000000000000000a1102";
export const ALLOCATOR_V3: Address = "0x00000000000000000000000000000000000a1103";
export const ALLOCATOR_SPENDER: Address = "0x00000000000000000000000000000000005e4de4";
export const BUILDER: Address = "0x0000000000000000000000000000000000b0117d";
export const MAPPING: Address = "0x0000000000000000000000000000000000003a99";
export const EXECUTOR: Address = "0x0000000000000000000000000000000000e8ec07";
export const MANAGER: Address = "0x00000000000000000000000000000000000da3a9";
/** EVM chain id of allocator v2's chain. */
export const AURORA_CHAIN_ID = 1_313_161_554;
