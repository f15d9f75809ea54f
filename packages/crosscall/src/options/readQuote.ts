import * as Type from "typebox";

import { InvalidInputError } from "@crosscall/protocol/core";
import type { Quote } from "@crosscall/protocol/quote";
import {
  type QuoteRequest,
  QuoteRequestSchema,
  readAnyQuote,
  type ReceivedQuote,
} from "@crosscall/protocol/quote/rules";
import { parseData } from "@crosscall/protocol/schema";
import { readJson } from "./readJson.ts";

const ReceivedSchema = Type.Object({ quotedAtMs: Type.Integer({ minimum: 0 }), quotedRequest: QuoteRequestSchema });

/** Reads the file of `crosscall quote --out`. */
export async function readQuote(path: string): Promise<ReceivedQuote> {
  return parseReceived(await readJson(path, "quote.json"), path);
}

function parseReceived(content: unknown, path: string): ReceivedQuote {
  const { quotedAtMs, quotedRequest } = parseData(ReceivedSchema, content, `the quote in ${path}`);
  return { ...readAnyQuote(content), quotedAtMs, quotedRequest };
}

/**
 * @param requestFile what was asked for; by default what the quote's file says
 * @throws {@link InvalidInputError} when neither says it
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
        reason: `${path} has no quotedRequest, and without the request, a quote cannot be compared with what was asked for`,
        hint: "Pass the request as JSON, or a quote of `crosscall quote --out`.",
      });
    }
    const quote = parseReceived(content, path);
    return { quote, request: quote.quotedRequest };
  }
  const request: QuoteRequest = parseData(
    QuoteRequestSchema,
    await readJson(requestFile, "--request"),
    `the request in ${requestFile}`,
  );
  return { quote: readAnyQuote(await readJson(path, "quote.json")), request };
}
