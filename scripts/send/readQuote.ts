import * as Type from "typebox";

import { parseData } from "../../src/protocol/parse.ts";
import { QuoteSchema } from "../../src/protocol/quote.ts";
import type { ReceivedQuote } from "../../src/protocol/quoteFreshness.ts";
import { readResponse } from "../../src/protocol/readResponse.ts";
import { QuoteRequestSchema } from "../../src/protocol/quoteRequest.ts";
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
