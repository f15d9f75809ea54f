import { type Address, type Hex, decodeFunctionResult, encodeFunctionData, parseAbi } from "viem";

import { InvalidStateError } from "../core/errors.ts";
import type { HubConfig } from "./config/chainFiles.ts";
import { openChainRpc } from "./rpc/openChainRpc.ts";
import { createEvmReader } from "./vms/ethereum/evmReader.ts";
import type { MappingReader, VmTools } from "./vms/vmChain.ts";

const HUB_ABI = parseAbi([
  "function HUB() view returns (address)",
  "function balanceOf(address owner, uint256 id) view returns (uint256)",
  "function getEntry(address user, bytes32 id) view returns (bytes data, uint256 createdAt)",
]);

/** Reads the settlement hub. */
export interface HubReader extends MappingReader {
  /** Runs a contract call at the end of the latest block. */
  call(to: Address, data: Hex): Promise<Hex>;
  /** What an account holds of a token. */
  balanceOf(account: Address, tokenId: bigint): Promise<bigint>;
  /** Closes connections. */
  close(): void;
}

/** Opens the hub's chain. */
export function openHub(
  { id, httpRpcUrl, oracleAddress, genericMappingAddress }: HubConfig,
  tools: VmTools,
): HubReader {
  const rpc = openChainRpc(id, [httpRpcUrl], {}, tools);
  const reader = createEvmReader(rpc);
  let hubAddress: Promise<Address> | undefined;
  // The oracle contract names the hub that it executes on, for ever.
  const readHubAddress = (): Promise<Address> => {
    hubAddress ??= reader
      .call(oracleAddress as Address, encodeFunctionData({ abi: HUB_ABI, functionName: "HUB" }))
      .then((data) => decodeFunctionResult({ abi: HUB_ABI, functionName: "HUB", data }))
      .catch((error: unknown) => {
        hubAddress = undefined;
        throw error;
      });
    return hubAddress;
  };
  return {
    call: (to, data) => reader.call(to, data),
    async balanceOf(account, tokenId) {
      const args = [account, tokenId] as const;
      const data = encodeFunctionData({ abi: HUB_ABI, functionName: "balanceOf", args });
      const answer = await reader.call(await readHubAddress(), data);
      return decodeFunctionResult({ abi: HUB_ABI, functionName: "balanceOf", data: answer });
    },
    async mappingEntry(user, entryId) {
      if (genericMappingAddress === undefined) {
        throw new InvalidStateError({
          message: "the hub has no genericMappingAddress",
          cure: "Complete the file of the hub.",
        });
      }
      const data = encodeFunctionData({ abi: HUB_ABI, functionName: "getEntry", args: [user, entryId] });
      const answer = await reader.call(genericMappingAddress as Address, data);
      const [entry, createdAt] = decodeFunctionResult({ abi: HUB_ABI, functionName: "getEntry", data: answer });
      return createdAt === 0n ? undefined : { data: entry, createdAt: Number(createdAt) };
    },
    close: () => rpc.close(),
  };
}
