import type { RequestList, RequestRecord } from "../../../packages/protocol/src/complete.ts";
import { expectLive } from "../../support/complete.ts";
import type { Localnet } from "../../../packages/crosscall/src/localnet/index.ts";
import { parseData } from "../../../packages/protocol/src/index.ts";
import { RequestListSchema } from "../../../packages/protocol/src/request/records.ts";

/** HTTP response. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Posts a body. Text is sent unchanged, and any other value as JSON. */
export async function post(
  network: Localnet,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${network.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

/** Reads a path. */
export async function get(network: Localnet, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${network.url}${path}`, { headers });
  return { status: response.status, body: await response.json() };
}

/** Returns a page of requests from the v3 listing, with the network's own key. */
export async function listRequests(network: Localnet, query = ""): Promise<RequestList> {
  const { body } = await get(network, `/requests/v3${query}`, { "x-api-key": network.apiKey });
  expectLive("GET /requests/v3 200", body);
  return parseData(RequestListSchema, body, "the listing");
}

/** Returns the record of one request. */
export async function recordOf(network: Localnet, requestId: string): Promise<RequestRecord> {
  const { requests } = await listRequests(network, `?id=${requestId}`);
  const [record] = requests;
  if (record === undefined) throw new Error(`request ${requestId} is not listed`);
  return record;
}

/** Returns the v2 record of one request. The service's clock must be before the retirement of v2. */
export async function recordV2Of(
  network: Localnet,
  requestId: string,
): Promise<{ readonly status: string; readonly data: Readonly<Record<string, unknown>>; readonly protocol: unknown }> {
  const { body } = await get(network, `/requests/v2?id=${requestId}`, { "x-api-key": network.apiKey });
  expectLive("GET /requests/v2 200", body);
  const [record] = (body as { requests: { status: string; data: Record<string, unknown>; protocol: unknown }[] })
    .requests;
  if (record === undefined) throw new Error(`request ${requestId} is not listed`);
  return record;
}
