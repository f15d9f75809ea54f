import type { SortDirection } from "@crosscall/protocol/common";
import { endpointGeneration, successorOf } from "@crosscall/protocol/generations";
import type { StatusFilter } from "@crosscall/protocol/request";
import { readResponse } from "@crosscall/protocol/schema";
import { type RequestRecordV2, RequestRecordV2Schema } from "@crosscall/protocol/v2";
import { callService } from "./callService.ts";
import type { DeprecationNotice, ServiceClient } from "./client.ts";
import { EndpointRetiredError } from "./errors.ts";
import { RecordPageSchema } from "./iteratePages.ts";
import { encodeQuery, type QueryField } from "./queryFields.ts";
import type { Answer } from "./transport/exchange.ts";

/** Query of `GET /requests/v2` (spec 1, section 4.1). */
export interface RequestQueryV2 {
  /** Requests per page, from 1 to 50. Defaults to 20. */
  readonly limit?: number;
  /** The previous page's cursor. */
  readonly continuation?: string;
  /** Sender or recipient. */
  readonly user?: string;
  /** Hash of an origin or destination transaction. */
  readonly hash?: string;
  readonly originChainId?: number;
  readonly destinationChainId?: number;
  /** Origin or destination chain. Ignored if one of the two fields above is set. */
  readonly chainId?: number;
  /** UUIDs. */
  readonly privateChainsToInclude?: readonly string[];
  readonly id?: string;
  readonly orderId?: string;
  readonly includeOrderData?: boolean;
  /** Creation time as a Date or Unix seconds, inclusive. */
  readonly startTimestamp?: Date | number;
  readonly endTimestamp?: Date | number;
  /** Origin block numbers, inclusive. */
  readonly startBlock?: number;
  readonly endBlock?: number;
  readonly referrer?: string;
  readonly depositAddress?: string;
  /** Whether to also list duplicates, retries and refunds, if `id` or `depositAddress` is set. */
  readonly includeChildRequests?: boolean;
  readonly includeAuthenticatedData?: boolean;
  readonly status?: StatusFilter;
  /** Requests made with this API key. */
  readonly apiKey?: string;
  /** `createdAt` by default. */
  readonly sortBy?: "createdAt" | "updatedAt";
  readonly sortDirection?: SortDirection;
}

const FIELDS: Readonly<Record<keyof RequestQueryV2, QueryField>> = {
  limit: "page size",
  continuation: "text",
  user: "text",
  hash: "text",
  originChainId: "whole number",
  destinationChainId: "whole number",
  chainId: "whole number",
  privateChainsToInclude: "list",
  id: "text",
  orderId: "text",
  includeOrderData: "flag",
  startTimestamp: "time",
  endTimestamp: "time",
  startBlock: "whole number",
  endBlock: "whole number",
  referrer: "text",
  depositAddress: "text",
  includeChildRequests: "flag",
  includeAuthenticatedData: "flag",
  status: "text",
  apiKey: "text",
  sortBy: "text",
  sortDirection: "text",
};

/** Encodes the query, and returns its API key separately. */
function encodeRequestQueryV2(query: RequestQueryV2): { query: Record<string, string>; secrets: string[] } {
  return { query: encodeQuery(FIELDS, query), secrets: query.apiKey === undefined ? [] : [query.apiKey] };
}

const notified = new WeakSet<ServiceClient>();

/** Reports only the first response with a notice. */
function noteDeprecation(client: ServiceClient, endpoint: string, answer: Answer): void {
  if (client.onDeprecation === undefined || notified.has(client)) return;
  const notice = readDeprecation(endpoint, answer, client.baseUrl);
  if (notice === undefined) return;
  notified.add(client);
  client.onDeprecation(notice);
}

/** Reads the notice from headers (RFC 9745, RFC 8594, RFC 8288) and body. Returns undefined without a notice. */
function readDeprecation(endpoint: string, { headers, body }: Answer, baseUrl: string): DeprecationNotice | undefined {
  const deprecation = headers.get("deprecation");
  const sunset = headers.get("sunset");
  const whole = fieldsOf(body);
  // Listings have the notice in a separate field, and 429 responses at the root.
  const fields = whole.deprecation === undefined ? whole : fieldsOf(whole.deprecation);
  const isAnnounced = deprecation !== null || sunset !== null || whole.deprecation !== undefined;
  if (!isAnnounced) return undefined;
  return {
    endpoint,
    message: textOf(fields.message),
    deprecatedAt: parseTime(deprecation) ?? parseTime(fields.deprecatedAt),
    throttledFrom: parseTime(fields.throttledFrom),
    sunsetAt: parseTime(sunset) ?? parseTime(fields.sunsetAt),
    successor: textOf(fields.successor),
    migrationGuide: textOf(fields.migrationGuide),
    links: parseLinks(headers.get("link") ?? "", baseUrl),
  };
}

/** Parses a structured date (`@` and Unix seconds), an HTTP date, or ISO 8601. */
function parseTime(value: unknown): Date | undefined {
  if (typeof value !== "string") return undefined;
  const [, seconds] = /^@(\d{1,12})$/u.exec(value.trim()) ?? [];
  const time = seconds === undefined ? Date.parse(value) : Number(seconds) * 1_000;
  return Number.isNaN(time) ? undefined : new Date(time);
}

/** Parses `<url>; rel="a b"`, separated by commas. URLs can be relative. */
function parseLinks(header: string, baseUrl: string): Record<string, string> {
  const links: Record<string, string> = {};
  for (const [, target = "", parameters = ""] of header.matchAll(/<([^<>]*)>((?:[^",<]|"[^"]*")*)/gu)) {
    const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/iu.exec(parameters) ?? [];
    if (!URL.canParse(target, baseUrl)) continue;
    for (const relation of (quoted ?? bare ?? "").split(/\s+/u)) {
      if (relation !== "") links[relation] ??= new URL(target, baseUrl).href;
    }
  }
  return links;
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

const ENDPOINT = "GET /requests/v2";
const RETIRED_AT = new Date(endpointGeneration("/requests/v2").endsOn);
const SUCCESSOR = `GET ${successorOf("/requests/v2")}`;

export interface ListRequestsV2Parameters extends RequestQueryV2 {
  /** Whether to send the request even after the end of v2. */
  readonly force?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface RequestPageV2 {
  /** Records. A record with unreadable fields lists them in `unreadable`, with the record as received. */
  readonly requests: readonly RequestRecordV2[];
  /** The next page's cursor; undefined on the last page. */
  readonly continuation: string | undefined;
}

/**
 * Returns a page of v2 requests (`GET /requests/v2`, spec 1, section 4.1). The API key is optional. Calls the client's
 * `onDeprecation` once with the deprecation notice of v2. Prefer `listRequests`: v2 has been deprecated since July 22,
 * 2026, and ends on November 24, 2026.
 * @throws {@link EndpointRetiredError} from November 24, 2026 on, unless forced; no request is sent
 * @throws {@link InvalidInputError} when a parameter is invalid; no request is sent
 * @throws {@link ServiceError} when the service rejects the request; for 429, `errorData` contains the successor
 */
export async function listRequestsV2(
  client: ServiceClient,
  parameters: ListRequestsV2Parameters = {},
): Promise<RequestPageV2> {
  const { signal, force = false, ...query } = parameters;
  if (!force && client.timer.now() >= RETIRED_AT.getTime()) {
    throw new EndpointRetiredError({ endpoint: ENDPOINT, retiredAt: RETIRED_AT, successor: SUCCESSOR });
  }
  const { requests, continuation } = await callService(client, {
    method: "GET",
    path: "/requests/v2",
    ...encodeRequestQueryV2(query),
    schema: RecordPageSchema,
    needs: ["requests"],
    requestId: query.id,
    signal,
    onAnswer: (answer) => noteDeprecation(client, ENDPOINT, answer),
  });
  return {
    requests: requests.map((record) => readResponse(RequestRecordV2Schema, record)),
    continuation: continuation ?? undefined,
  };
}
