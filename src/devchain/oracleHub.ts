import type { Address } from "viem";
import { privateKeyToAddress } from "viem/accounts";

import { ORACLE_ADDRESS } from "@crosscall/sdk/internal/chains/serviceAddresses";
import type { ExecutionDomain } from "@crosscall/sdk/internal/protocol/attestation/execution";
import { ORACLE_KEYS } from "./accounts.ts";

export interface OracleHub extends ExecutionDomain {
  /** Its name in orders. */
  readonly id: string;
  readonly genericMappingAddress: Address;
}

/** No hub runs here: what the oracles sign is not executed, and routes that read hub balances fail. */
export const LOCAL_HUB: OracleHub = {
  id: "relay",
  evmChainId: 31_337,
  oracleAddress: ORACLE_ADDRESS,
  oracleVersion: "2",
  genericMappingAddress: "0x00000000000000000000000000000000006d6170",
};

/** In lower case, in ascending order. */
export const ORACLE_SIGNERS: readonly Address[] = ORACLE_KEYS.map(
  (key) => privateKeyToAddress(key).toLowerCase() as Address,
).sort();
