import { type Address, concat, type Hex, pad, sliceHex } from "viem";
import { privateKeyToAddress } from "viem/accounts";

import { ORACLE_ADDRESS } from "@crosscall/protocol/chains";
import type { ExecutionDomain } from "@crosscall/protocol/attestation";
import { readArtifact } from "../../artifacts.ts";
import { ORACLE_KEYS } from "./accounts.ts";
import { CONTRACT_SOURCES } from "./published.ts";

export interface OracleHub extends ExecutionDomain {
  /** The hub's name in orders. */
  readonly id: string;
  readonly genericMappingAddress: Address;
  readonly allocatorAddress: Address;
  readonly executorAddress: Address;
  readonly depositAddressManagerAddress: Address;
  readonly auroraEvmChainId: number;
  readonly auroraAllocatorAddress: Address;
  readonly auroraAllocatorSpenderAddress: Address;
}

/** Chain id of the hub. It is the same as in the contract, because signatures do not depend on the hub's chain. */
const HUB_CHAIN_ID = 31_337;

/** The network's hub: one contract on the first chain, at the address of the live oracle contract. */
export const LOCAL_HUB: OracleHub = {
  id: "relay",
  evmChainId: HUB_CHAIN_ID,
  oracleAddress: ORACLE_ADDRESS,
  oracleVersion: "2",
  genericMappingAddress: ORACLE_ADDRESS,
  allocatorAddress: ORACLE_ADDRESS,
  executorAddress: ORACLE_ADDRESS,
  depositAddressManagerAddress: ORACLE_ADDRESS,
  auroraEvmChainId: HUB_CHAIN_ID,
  auroraAllocatorAddress: ORACLE_ADDRESS,
  auroraAllocatorSpenderAddress: ORACLE_ADDRESS,
};

/** Returns the hub's runtime code as its constructor leaves it. The verifier is the only immutable. */
export function localHubCode(verifier: Address): Hex {
  const { deployedBytecode, immutableReferences } = readArtifact(CONTRACT_SOURCES.hub);
  return Object.values(immutableReferences)
    .flat()
    .reduce(
      (code, { start, length }) =>
        concat([sliceHex(code, 0, start), pad(verifier, { size: length }), sliceHex(code, start + length)]),
      deployedBytecode,
    );
}

/** Addresses of the oracles' signers, in lower case and ascending order. */
export const ORACLE_SIGNERS: readonly Address[] = ORACLE_KEYS.map(
  (key) => privateKeyToAddress(key).toLowerCase() as Address,
).sort();
