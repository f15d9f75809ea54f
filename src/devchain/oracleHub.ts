import type { Address } from "viem";
import { privateKeyToAddress } from "viem/accounts";

import { ORACLE_ADDRESS } from "@crosscall/sdk/internal/chains/serviceAddresses";
import type { ExecutionDomain } from "@crosscall/sdk/internal/protocol/attestation/execution";
import { ORACLE_KEYS } from "./accounts.ts";

/** A settlement hub, as its oracles name it. */
export interface OracleHub extends ExecutionDomain {
  /** Its own name in orders. */
  readonly id: string;
  readonly genericMappingAddress: Address;
}

/**
 * The hub that the network's oracles sign for. No hub runs here: what is signed is not executed, and routes that read
 * balances of the hub fail.
 */
export const LOCAL_HUB: OracleHub = {
  id: "relay",
  evmChainId: 31_337,
  oracleAddress: ORACLE_ADDRESS,
  oracleVersion: "2",
  genericMappingAddress: "0x00000000000000000000000000000000006d6170",
};

/** Who signs: the network's oracles, in ascending order, in lower case. */
export const ORACLE_SIGNERS: readonly Address[] = ORACLE_KEYS.map(
  (key) => privateKeyToAddress(key).toLowerCase() as Address,
).sort();
