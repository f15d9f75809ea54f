import { type OracleLives, OracleLivesSchema } from "../../protocol/attestation/messages/lives.ts";
import { callStrictly } from "../callService.ts";
import type { ServiceClient } from "../client.ts";

export interface GetOracleLivesParameters {
  /** Includes the oracle's version. */
  readonly withReport?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Returns whether an oracle is up (`GET /lives/v1`, spec 3, section 4). Needs no key. */
export function getOracleLives(
  client: ServiceClient,
  { withReport = false, signal }: GetOracleLivesParameters = {},
): Promise<OracleLives> {
  const query = withReport ? { withReport: "1" } : {};
  return callStrictly(client, { method: "GET", path: "/lives/v1", query, schema: OracleLivesSchema, signal });
}
