import { type Hex, hexToBigInt, keccak256, stringToHex } from "viem";

import { InvalidStateError } from "@crosscall/protocol/core";
import { hubAlias } from "@crosscall/protocol/attestation";
import type { EncodeOrderAddress } from "@crosscall/protocol/order";
import { type VmCodec, vmCodecOf, type VmType } from "@crosscall/protocol/vms";
import { AttestationRefusedError } from "./attestationRefusedError.ts";
import type { ChainConfig } from "./chainFiles.ts";
import type { FamilyTools, VmChain } from "./vms/vmChain.ts";
import { vmFamilyOf } from "./vms/vmFamilyOf.ts";

export interface OracleChain {
  readonly config: ChainConfig;
  readonly vmType: VmType;
  readonly codec: VmCodec;
  /** Reader of the chain; undefined if this build does not support the chain's family. */
  readonly vm: VmChain | undefined;
}

export interface ChainTable {
  readonly all: readonly OracleChain[];
  /** @throws {@link AttestationRefusedError} if the chain is not configured */
  get(chainId: string): OracleChain;
  /** @throws {@link AttestationRefusedError} if the chain is not configured, or its family is not supported */
  vm(chainId: string): VmChain;
  readonly encode: EncodeOrderAddress;
  /**
   * Returns the hub account of an address.
   *
   * @throws {@link AttestationRefusedError} if the chain is not configured
   */
  alias(chainId: string, address: string): Hex;
  /**
   * Returns the chain's number on the hub.
   *
   * @throws {@link AttestationRefusedError} if the chain is not configured
   * @throws {@link InvalidStateError} for an EVM chain without a configured number
   */
  hubChainId(chainId: string): bigint;
  close(): void;
}

export function openChains(configs: readonly ChainConfig[], tools: FamilyTools): ChainTable {
  const all = configs.map((config) => openChain(config, tools));
  const byId = new Map(all.map((chain) => [chain.config.id, chain]));
  const get = (chainId: string): OracleChain => {
    const chain = byId.get(chainId);
    if (chain === undefined) throw new AttestationRefusedError(`Chain ${chainId} is not available`);
    return chain;
  };
  return {
    all,
    get,
    vm(chainId) {
      const { vm } = get(chainId);
      if (vm === undefined) throw new AttestationRefusedError("Vm type not implemented");
      return vm;
    },
    encode: (chainId, address, field) => get(chainId).codec.encodeAddress(address, field),
    alias: (chainId, address) => hubAlias(chainId, get(chainId).codec.encodeAddress(address, "address")),
    hubChainId(chainId) {
      const { config, vmType } = get(chainId);
      if (config.hubChainId !== undefined) return BigInt(config.hubChainId);
      if (vmType !== "ethereum-vm") return hexToBigInt(keccak256(stringToHex(chainId)));
      throw new InvalidStateError({
        message: `chain ${chainId} has no hubChainId`,
        hint: "Add the chain's EVM id to the chain file as hubChainId.",
      });
    },
    close: () => all.forEach(({ vm }) => vm?.close()),
  };
}

function openChain(config: ChainConfig, tools: FamilyTools): OracleChain {
  const { id, vmType, httpRpcUrl, depository, additionalDepositories, hubChainId, additionalData } = config;
  const rpcUrls = [httpRpcUrl, ...(additionalData.rpcUrls ?? [])];
  return {
    config,
    vmType,
    codec: vmCodecOf(vmType),
    vm: vmFamilyOf(vmType)?.open(
      {
        id,
        rpcUrls,
        depository,
        additionalData,
        ...(additionalDepositories === undefined ? {} : { additionalDepositories }),
        ...(hubChainId === undefined ? {} : { hubChainId }),
      },
      tools,
    ),
  };
}
