import { readFileSync } from "node:fs";

import { decodeOrderCall } from "../../../../packages/protocol/src/order/orderCalls.ts";
import { type Quote, QuoteSchema } from "../../../../packages/protocol/src/quote/quote.ts";
import type { QuoteRequest } from "../../../../packages/protocol/src/quote/quoteRequest.ts";
import { readResponse } from "../../../../packages/protocol/src/schema/readResponse.ts";
import type { QuoteReport } from "../../../../packages/sdk/src/verify/quoteReport.ts";

export const payloads = JSON.parse(
  readFileSync(new URL("../../../vectors/payloads.json", import.meta.url), "utf8"),
) as readonly { readonly page: string; readonly line: number; readonly payload: unknown }[];

export const quoteOf = (page: string, line: number): Quote => {
  const found = payloads.find((one) => one.page === page && one.line === line);
  if (found === undefined) throw new Error(`no payload for ${page}`);
  return readResponse(QuoteSchema, found.payload);
};

/** Returns the original request for each quote, as documented. */
export const requestOf = ({ details, protocol }: Quote, change: Partial<QuoteRequest>): QuoteRequest => ({
  user: details?.sender ?? "",
  recipient: details?.recipient ?? "",
  originChainId: details?.currencyIn?.currency?.chainId ?? 0,
  destinationChainId: details?.currencyOut?.currency?.chainId ?? 0,
  originCurrency: details?.currencyIn?.currency?.address ?? "",
  destinationCurrency: details?.currencyOut?.currency?.address ?? "",
  tradeType: "EXACT_INPUT",
  amount: details?.currencyIn?.amount ?? "",
  txs: (protocol?.v2?.orderData?.output?.calls ?? []).map(decodeOrderCall),
  ...change,
});

export const timeOf = ({ protocol }: Quote) => {
  const deadline = protocol?.v2?.orderData?.output?.deadline ?? 0;
  return { now: () => (deadline - 3_600) * 1_000 };
};

export const unmetOf = ({ claims }: QuoteReport) =>
  new Set(claims.filter(({ isMet }) => !isMet).map(({ code }) => code));
