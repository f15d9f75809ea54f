import { type Hex, parseAbi, zeroAddress } from "viem";

import { hashSubmitWithdrawRequest, type SubmitWithdrawRequest } from "@crosscall/protocol/attestation";
import { requireAttested } from "../attestationRefusedError.ts";
import { hubContract } from "../hub.ts";
import type { OracleContext } from "../oracleContext.ts";
import type { VmType } from "@crosscall/protocol/vms";
import { readContract } from "../readContract.ts";
import { requirePayloadFamily } from "./requirePayloadFamily.ts";

const ALLOCATOR_ABI = parseAbi([
  "function payloads(bytes32 payloadId) view returns (bytes unsignedPayload)",
  "function payloadBuilders(uint256 chainId, string depository) view returns (address)",
  "function signedPayloads(bytes32 payloadId, bytes32 hashToSign) view returns (bytes)",
]);

const BUILDER_ABI = parseAbi([
  "function family() view returns (string)",
  "function hashToSign(uint256 chainId, string depository, bytes payload, uint32 index) view returns (bytes32)",
]);

/** Families whose payloads are read here. */
const FAMILIES: readonly string[] = [
  "bitcoin-vm",
  "ethereum-vm",
  "hyperliquid-vm",
  "lighter-vm",
  "solana-vm",
  "tron-vm",
];

/**
 * The payload that the allocator v2 built and signed.
 *
 * @param countHashes number of hashes of a payload, which must all be signed

 * @returns undefined if it is not built or signed yet
 * @throws {@link AttestationRefusedError} if the allocator does not know the chain, or the payload is not supported
 * here
 */
export async function readSignedPayload(
  { hub, hubReader }: OracleContext,
  request: SubmitWithdrawRequest,
  vmType: VmType,
  countHashes: (payload: Hex) => number,
): Promise<Hex | undefined> {
  const allocatorChain = hubReader.allocatorChain();
  const allocator = { address: hubContract(hub, "auroraAllocatorAddress"), abi: ALLOCATOR_ABI };
  const { chainId, depository } = request;
  const payloadId = hashSubmitWithdrawRequest(request);
  const [address, payload] = await Promise.all([
    readContract(allocatorChain, { ...allocator, functionName: "payloadBuilders", args: [chainId, depository] }),
    readContract(allocatorChain, { ...allocator, functionName: "payloads", args: [payloadId] }),
  ]);
  requireAttested(address !== zeroAddress, `No payload builder configured for chain ${chainId}`);
  const builder = { address, abi: BUILDER_ABI };
  const family = await readContract(allocatorChain, { ...builder, functionName: "family" });
  requirePayloadFamily(family, FAMILIES, vmType);
  if (payload === "0x") return undefined;
  const signed = await Promise.all(
    Array.from({ length: countHashes(payload) }, async (_, index) => {
      const args = [chainId, depository, payload, index] as const;
      const hash = await readContract(allocatorChain, { ...builder, functionName: "hashToSign", args });
      const read = { ...allocator, functionName: "signedPayloads", args: [payloadId, hash] } as const;
      return readContract(allocatorChain, read);
    }),
  );
  return signed.includes("0x") ? undefined : payload;
}
