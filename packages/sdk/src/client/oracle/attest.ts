import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import {
  type Attestation,
  ATTESTATION_ROUTES,
  type AttestationBody,
  type AttestationRoute,
  type OracleChainEntry,
  OracleChainsSchema,
  type OracleLives,
  OracleLivesSchema,
} from "@crosscall/protocol/attestation";
import { callStrictly } from "../callService.ts";
import type { ServiceClient } from "../client.ts";

export interface AttestOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Requests an attestation from an oracle (`POST /attestations/{route}`, spec 3, section 4).
 *
 * @example
 * const { messages } = await attest(client, "depository-deposits/v1", { chainId: "base", transactionId });
 *
 * @param body request body; with `requestPeerSignatures: true`, the oracle adds its peers' signatures
 * @throws {@link ServiceError} when the oracle rejects the request; `message` states the reason. Retry when the
 * transaction is final
 */
export function attest<Route extends AttestationRoute>(
  client: ServiceClient,
  route: Route,
  body: AttestationBody<Route>,
  parameters: AttestOptions = {},
): Promise<Attestation<Route>> {
  rejectUnknownOptions(parameters, { signal: 1 });
  const { signal } = parameters;
  const schema: (typeof ATTESTATION_ROUTES)[Route]["answer"] = ATTESTATION_ROUTES[route].answer;
  return callStrictly(client, { method: "POST", path: `/attestations/${route}`, body, schema, signal });
}

export interface GetOracleChainsParameters {
  readonly signal?: AbortSignal | undefined;
}

/** Returns the chains that an oracle supports (`GET /chains/v1`, spec 3, section 4). */
export async function getOracleChains(
  client: ServiceClient,
  parameters: GetOracleChainsParameters = {},
): Promise<readonly OracleChainEntry[]> {
  rejectUnknownOptions(parameters, { signal: 1 });
  const { signal } = parameters;
  const call = { method: "GET", path: "/chains/v1", schema: OracleChainsSchema, signal } as const;
  return (await callStrictly(client, call)).chains;
}

export interface GetOracleLivesParameters {
  /** Whether to include the oracle's version. */
  readonly withReport?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Returns whether an oracle is running (`GET /lives/v1`, spec 3, section 4). Requires no key. */
export function getOracleLives(client: ServiceClient, parameters: GetOracleLivesParameters = {}): Promise<OracleLives> {
  rejectUnknownOptions(parameters, { withReport: 1, signal: 1 });
  const { withReport = false, signal } = parameters;
  const query = withReport ? { withReport: "1" } : {};
  return callStrictly(client, { method: "GET", path: "/lives/v1", query, schema: OracleLivesSchema, signal });
}
