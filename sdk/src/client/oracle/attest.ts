import {
  type Attestation,
  ATTESTATION_ROUTES,
  type AttestationBody,
  type AttestationRoute,
} from "../../protocol/attestation/routes.ts";
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
 * @param body with `requestPeerSignatures: true` the oracle adds the signatures of its peers
 * @throws {@link ServiceError} when the oracle rejects the request; `message` states the reason. Retry once the transaction
 * is final
 */
export function attest<Route extends AttestationRoute>(
  client: ServiceClient,
  route: Route,
  body: AttestationBody<Route>,
  { signal }: AttestOptions = {},
): Promise<Attestation<Route>> {
  const schema: (typeof ATTESTATION_ROUTES)[Route]["answer"] = ATTESTATION_ROUTES[route].answer;
  return callStrictly(client, { method: "POST", path: `/attestations/${route}`, body, schema, signal });
}
