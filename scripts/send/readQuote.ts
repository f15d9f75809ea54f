import * as Type from "typebox";

import { parseData } from "@crosscall/sdk/internal/protocol/schema/parse";
import { QuoteSchema } from "@crosscall/sdk/internal/protocol/quote/quote";
import type { ReceivedQuote } from "@crosscall/sdk/internal/protocol/quote/quoteFreshness";
import { readResponse } from "@crosscall/sdk/internal/protocol/schema/readResponse";
import { QuoteRequestSchema } from "@crosscall/sdk/internal/protocol/quote/quoteRequest";
import { readJson } from "../options/readJson.ts";

const ReceivedSchema = Type.Object({ quotedAtMs: Type.Integer({ minimum: 0 }), quotedRequest: QuoteRequestSchema });

/**
 * Reads the quote that `crosscall quote --out` wrote. One that does not say when it was taken is refused: nobody would
 * know how old it is.
 *
 * @throws {@link InvalidInputError} when the file cannot be read, or is no JSON
 * @throws {@link MalformedDataError} when it is no such quote
 */
export async function readQuote(path: string): Promise<ReceivedQuote> {
  const content = await readJson(path, "quote.json");
  const { quotedAtMs, quotedRequest } = parseData(ReceivedSchema, content, `the quote in ${path}`);
  return { ...readResponse(QuoteSchema, content), quotedAtMs, quotedRequest };
}
