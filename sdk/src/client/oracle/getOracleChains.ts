import { type OracleChainEntry, OracleChainsSchema } from "../../protocol/attestation/messages/chains.ts";
import { callStrictly } from "../callService.ts";
import type { ServiceClient } from "../client.ts";

export interface GetOracleChainsParameters {
  readonly signal?: AbortSignal | undefined;
}

/** Returns the chains that an oracle attests (`GET /chains/v1`, spec 3, section 4). */
export async function getOracleChains(
  client: ServiceClient,
  { signal }: GetOracleChainsParameters = {},
): Promise<readonly OracleChainEntry[]> {
  const call = { method: "GET", path: "/chains/v1", schema: OracleChainsSchema, signal } as const;
  return (await callStrictly(client, call)).chains;
}
