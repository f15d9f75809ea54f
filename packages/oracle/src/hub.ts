import { type Address, type Hex, parseAbi } from "viem";

import { InvalidStateError } from "@crosscall/protocol/core";
import type { HubConfig } from "./chainFiles.ts";
import { type ContractCaller, readContract } from "./readContract.ts";
import { openChainRpc } from "./rpc/chainRpc.ts";
import { createEvmReader, type EvmReader } from "./vms/ethereum/evmReader.ts";
import type { MappingReader, VmTools } from "./vms/vmChain.ts";

const HUB_ABI = parseAbi([
  "function HUB() view returns (address)",
  "function balanceOf(address owner, uint256 id) view returns (uint256)",
  "function getEntry(address user, bytes32 id) view returns (bytes data, uint256 createdAt)",
]);

export interface HubReader extends ContractCaller, MappingReader {
  /** Calls a contract on the hub at the latest block. */
  call(to: Address, data: Hex): Promise<Hex>;
  balanceOf(account: Address, tokenId: bigint): Promise<bigint>;
  /**
   * Returns the chain of allocator v2.
   *
   * @throws {@link InvalidStateError} if it is not configured
   */
  allocatorChain(): ContractCaller;
  /** @throws {@link RpcError} if the endpoint cannot be read */
  probe(): Promise<unknown>;
  /** Probes the chain of allocator v2. */
  probeAllocator(): Promise<unknown>;
  close(): void;
}

export function openHub(hub: HubConfig, tools: VmTools): HubReader {
  const { id, httpRpcUrl, oracleAddress, auroraHttpRpcUrl } = hub;
  const rpc = openChainRpc(id, [httpRpcUrl], {}, tools);
  const aurora =
    auroraHttpRpcUrl === undefined ? undefined : openChainRpc(`${id}-allocator`, [auroraHttpRpcUrl], {}, tools);
  const reader = createEvmReader(rpc);
  const allocatorReader = aurora === undefined ? undefined : createEvmReader(aurora);
  const allocatorChain = (): EvmReader => {
    if (allocatorReader !== undefined) return allocatorReader;
    throw missing("auroraHttpRpcUrl");
  };
  let hubAddress: Promise<Address> | undefined;
  // Cached, because the hub id of the oracle contract never changes.
  const readHubAddress = (): Promise<Address> => {
    const address = oracleAddress as Address;
    hubAddress ??= readContract(reader, { address, abi: HUB_ABI, functionName: "HUB" }).catch((error: unknown) => {
      hubAddress = undefined;
      throw error;
    });
    return hubAddress;
  };
  return {
    call: (to, data) => reader.call(to, data),
    async balanceOf(account, tokenId) {
      const address = await readHubAddress();
      return readContract(reader, { address, abi: HUB_ABI, functionName: "balanceOf", args: [account, tokenId] });
    },
    async mappingEntry(user, entryId) {
      const address = hubContract(hub, "genericMappingAddress");
      const read = { address, abi: HUB_ABI, functionName: "getEntry", args: [user, entryId] } as const;
      const [data, createdAt] = await readContract(reader, read);
      return createdAt === 0n ? undefined : { data, createdAt: Number(createdAt) };
    },
    allocatorChain,
    probe: () => reader.latest(),
    probeAllocator: () => allocatorChain().latest(),
    close() {
      rpc.close();
      aurora?.close();
    },
  };
}

type ContractField = Extract<keyof HubConfig, `${string}Address`>;

/** @throws {@link InvalidStateError} if the hub file does not have the contract */
export function hubContract(hub: HubConfig, field: ContractField): Address {
  const address = hub[field];
  if (address === undefined) throw missing(field);
  return address as Address;
}

function missing(field: string): InvalidStateError {
  const hint = `Add ${field} to the hub file.`;
  return new InvalidStateError({ message: `the hub file has no ${field}`, hint });
}
