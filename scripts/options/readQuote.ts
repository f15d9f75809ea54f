import * as Type from "typebox";

import { QuoteSchema } from "@crosscall/sdk/internal/protocol/quote/quote";
import type { ReceivedQuote } from "@crosscall/sdk/internal/protocol/quote/quoteFreshness";
import { QuoteRequestSchema } from "@crosscall/sdk/internal/protocol/quote/quoteRequest";
import { parseData } from "@crosscall/sdk/internal/protocol/schema/parse";
import { readResponse } from "@crosscall/sdk/internal/protocol/schema/readResponse";
import { readJson } from "./readJson.ts";

const ReceivedSchema = Type.Object({ quotedAtMs: Type.Integer({ minimum: 0 }), quotedRequest: QuoteRequestSchema });

/** Reads the file of `crosscall quote --out`. */
export async function readQuote(path: string): Promise<ReceivedQuote> {
  const content = await readJson(path, "quote.json");
  const { quotedAtMs, quotedRequest } = parseData(ReceivedSchema, content, `the quote in ${path}`);
  return { ...readResponse(QuoteSchema, content), quotedAtMs, quotedRequest };
}
