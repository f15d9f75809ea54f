// Client functions for tests with the local service. Responses must have every documented field and match the live
// service's schemas, so tests can use the types of complete responses.
import { readFileSync } from "node:fs";

import { expect } from "chai";
import type { Static, TSchema } from "typebox";

import * as client from "../../packages/sdk/src/index.ts";
import type * as Complete from "../../packages/protocol/src/complete.ts";
import { listMismatches } from "../../packages/protocol/src/schema/checkSchema.ts";
import {
  type ChainEntry,
  parseData,
  type QuoteRequest,
  QuoteSchema,
  type RequestRecord,
} from "../../packages/protocol/src/index.ts";
import * as T from "../../packages/protocol/src/schema/type.ts";
import { ChainListSchema } from "../../packages/protocol/src/common/chainEntry.ts";
import {
  type CompleteRequestSignature,
  RequestSignatureSchema,
} from "../../packages/protocol/src/request/requestSignature.ts";
import { IntentStatusSchema } from "../../packages/protocol/src/request/index.ts";
import { RequestListSchema } from "../../packages/protocol/src/request/records.ts";

const LIVE_SCHEMAS = JSON.parse(
  readFileSync(new URL("../vectors/live-schemas.json", import.meta.url), "utf8"),
) as Readonly<Record<string, TSchema>>;

/** Endpoints and statuses for which the live service's schema is known, such as `POST /quote/v2 200`. */
export const LIVE_PARTS: readonly string[] = Object.keys(LIVE_SCHEMAS);

/** Quote from the local service, with its time and request. */
export type CompleteTakenQuote = Complete.Quote & { readonly quotedAtMs: number; readonly quotedRequest: QuoteRequest };

/** Returns the live service's schema for an endpoint and status, such as `POST /quote/v2 200`. */
export function liveSchema(part: string): TSchema {
  const schema = LIVE_SCHEMAS[part];
  if (schema === undefined) throw new Error(`live-schemas.json has no ${part}`);
  return schema;
}

/** Asserts that a response matches the live service's schema. Null means a missing field, as in live samples. */
export function expectLive(part: string, body: unknown): void {
  const mismatches = listMismatches(liveSchema(part), withoutNulls(body)).filter(
    ({ path, value }) => value !== undefined && !isLaterRefundReason(path, value),
  );
  expect(mismatches, part).to.deep.equal([]);
}

/**
 * Reasons that the live v2 schema lacks: `N/A`, which the specification sends if there is no reason (spec 1,
 * section 2.7), and v3's newest reason.
 */
function isLaterRefundReason(path: string, value: unknown): boolean {
  return path.endsWith(".data.refundFailReason") && (value === "N/A" || value === "MANUAL_REFUND_REQUIRED");
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

/** Returns the paths in the live service's schema that a response lacks. Null counts as present. */
export function missingFields(part: string, body: unknown): string[] {
  return [...new Set(missingOf(liveSchema(part), body, ""))];
}

function missingOf({ properties, items, anyOf }: JsonSchema, value: unknown, path: string): string[] {
  if (anyOf?.[0] !== undefined) return missingOf(anyOf[0], value, path);
  if (value === undefined) return [path];
  if (Array.isArray(value)) return items === undefined ? [] : value.flatMap((item) => missingOf(items, item, path));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(properties ?? {}).flatMap(([name, inner]) =>
    missingOf(inner, Reflect.get(value, name), path === "" ? name : `${path}.${name}`),
  );
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (inner === null ? [] : [[name, withoutNulls(inner)]])),
  );
}

/** Returns a response that has every documented field and matches the live service's schema. */
function complete<Schema extends TSchema>(schema: Schema, part: string, response: unknown): Static<Schema> {
  expectLive(part, response);
  return parseData(schema, response, part);
}

function completeRecord(record: RequestRecord): Complete.RequestRecord {
  const [only] = complete(RequestListSchema, "GET /requests/v3 200", { requests: [record] }).requests;
  return only!;
}

/** A version 3 quote has its fees in details. */
const { fees: _fees, ...withoutFees } = QuoteSchema.properties;
const QuoteWithoutFees = T.Object(withoutFees);

export async function getQuote(
  service: client.ServiceClient,
  parameters: client.GetQuoteParameters,
): Promise<CompleteTakenQuote> {
  const quote = await client.getQuote(service, parameters);
  const { quotedAtMs: _takenAtMs, quotedRequest: _takenFor, ...sent } = quote;
  complete(sent.fees === undefined ? QuoteWithoutFees : QuoteSchema, "POST /quote/v2 200", sent);
  return quote as CompleteTakenQuote;
}

export async function getRequest(
  service: client.ServiceClient,
  parameters: Parameters<typeof client.getRequest>[1],
): Promise<Complete.RequestRecord> {
  return completeRecord(await client.getRequest(service, parameters));
}

export async function listRequests(
  service: client.ServiceClient,
  parameters: Parameters<typeof client.listRequests>[1] = {},
) {
  const page = await client.listRequests(service, parameters);
  return { ...page, requests: page.requests.map(completeRecord) };
}

export async function* iterateRequests(...parameters: Parameters<typeof client.iterateRequests>) {
  for await (const record of client.iterateRequests(...parameters)) yield completeRecord(record);
}

export async function getStatus(
  service: client.ServiceClient,
  parameters: Parameters<typeof client.getStatus>[1],
): Promise<Complete.IntentStatus> {
  return complete(IntentStatusSchema, "GET /intents/status/v3 200", await client.getStatus(service, parameters));
}

export async function getSignature(
  service: client.ServiceClient,
  parameters: Parameters<typeof client.getSignature>[1],
): Promise<CompleteRequestSignature> {
  const signed = await client.getSignature(service, parameters);
  return complete(RequestSignatureSchema, "GET /requests/{requestId}/signature 200", signed);
}

export async function getChains(
  service: client.ServiceClient,
  parameters: Parameters<typeof client.getChains>[1] = {},
): Promise<readonly Complete.ChainEntry[]> {
  const chains: readonly ChainEntry[] = await client.getChains(service, parameters);
  return complete(ChainListSchema, "GET /chains 200", { chains }).chains;
}
