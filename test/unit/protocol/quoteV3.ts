import { quote, requestRecord } from "./fixtures.ts";

const { fees } = requestRecord.data;
const [step] = quote.steps;
const { requestId, items, depositAddress: _, ...words } = step!;
const { from: _from, ...call } = items[0]!.data;

/** The quote of `fixtures.ts` as v3 states it. */
export const quoteV3 = {
  requestId,
  steps: [{ ...words, ...items[0]!, data: call }],
  fees: { quoted: fees.quoted, currency: fees.currency },
  details: quote.details,
  protocol: quote.protocol,
};

export const { depositAddress } = requestRecord;
