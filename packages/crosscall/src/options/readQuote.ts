import * as Type from "typebox";
import { InvalidInputError } from "@crosscall/protocol/core";
import type { Quote } from "@crosscall/protocol/quote";
import {
  type QuoteRequest,
  QuoteRequestSchema,
  readAnyQuote,
  type ReceivedQuote,
} from "@crosscall/protocol/quote/rules";
import { isObject, parseData } from "@crosscall/protocol/schema";
import { type ServiceTrust, serviceTrust } from "@crosscall/sdk/verify";

import { readJson } from "./readJson.ts";

const ReceivedSchema = Type.Object({ quotedAtMs: Type.Integer({ minimum: 0 }), quotedRequest: QuoteRequestSchema });

/** Reads a quote file that `crosscall quote --out` wrote. */
export async function readQuote(path: string): Promise<ReceivedQuote> {
  return parseReceived(await readJson(path, "quote.json"), path);
}

function parseReceived(content: unknown, path: string): ReceivedQuote {
  const { quotedAtMs, quotedRequest } = parseData(ReceivedSchema, content, `the quote in ${path}`);
  return { ...readAnyQuote(content), quotedAtMs, quotedRequest };
}

/**
 * @param requestFile path of the quote request; by default, the request in the quote file is used
 * @throws {@link InvalidInputError} when neither file has a request
 */
export async function readQuoteWithRequest(
  path: string,
  requestFile: string | undefined,
): Promise<{ readonly quote: Quote; readonly request: QuoteRequest }> {
  if (requestFile === undefined) {
    const content = await readJson(path, "quote.json");
    if (typeof content === "object" && content !== null && !("quotedRequest" in content)) {
      throw new InvalidInputError({
        field: "--request",
        value: undefined,
        reason: `${path} has no quotedRequest, but a quote can only be verified with its request`,
        hint: "Pass the request as JSON, or a quote from `crosscall quote --out`.",
      });
    }
    const quote = parseReceived(content, path);
    return { quote, request: quote.quotedRequest };
  }
  const content = await readJson(requestFile, "--request");
  if (isObject(content) && ("recipe" in content || "actions" in content)) {
    throw new InvalidInputError({
      field: "--request",
      value: requestFile,
      reason: "it is a plan, which does not have the calls of the request",
      hint: "Omit --request to use the request in the quote file, or pass the file that `crosscall plan --out` writes.",
    });
  }
  const request: QuoteRequest = parseData(QuoteRequestSchema, content, `the request in ${requestFile}`);
  return { quote: readAnyQuote(await readJson(path, "quote.json")), request };
}

const addresses = Type.Array(Type.String({ minLength: 1 }));

const TrustSchema = Type.Unsafe<Readonly<Record<string, Type.Static<typeof ChainSchema>>>>({
  type: "object",
  description: "Pinned chains by chain id.",
});

const ChainSchema = Type.Object({
  name: Type.String({ minLength: 1, description: "Name of the chain in orders, such as base." }),
  depositories: addresses,
  solvers: addresses,
  routers: Type.Optional(addresses),
  spenders: Type.Optional(addresses),
  programs: Type.Optional(addresses),
  delegates: Type.Optional(addresses),
  lookupTables: Type.Optional(addresses),
  payees: Type.Optional(addresses),
});

/**
 * Returns the service's pinned addresses and those in a file. A chain in the file replaces the pinned chain with the
 * same id.
 */
export async function readTrust(path: string | undefined): Promise<ServiceTrust> {
  if (path === undefined) return serviceTrust;
  const content = parseData(TrustSchema, await readJson(path, "--trust"), `the addresses in ${path}`);
  const chains = Object.entries(content).map(([id, chain]) => [
    id,
    parseData(ChainSchema, chain, `the addresses in ${path}`, id),
  ]);
  return { ...serviceTrust, ...(Object.fromEntries(chains) as ServiceTrust) };
}
