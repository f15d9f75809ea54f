import * as Type from "typebox";

import { SortDirectionSchema, SortFieldSchema } from "@crosscall/protocol/common";
import { commonQuery, flag, seconds, text, wholeNumber } from "./queryParts.ts";

const dollars = (description: string) =>
  Type.Optional(Type.String({ pattern: "^[0-9]{1,90}(\\.[0-9]{1,30})?$", description }));
const duration = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }));

/** Query of `GET /requests/v3` (spec 1, section 4.2). The live service takes `referrer` again since 19 August 2026. */
export const ListingQueryV3Schema = Type.Object({
  ...commonQuery,
  term: text("A request id, a wallet, a deposit address or any transaction hash."),
  depositTxHash: text("Hash of the deposit."),
  fillTxHash: text("Hash of the fill."),
  refundTxHash: text("Hash of the refund."),
  chainId: wholeNumber("Either direction."),
  recipient: text("Recipient of the output."),
  status: text("success, failure, refund, pending or depositing."),
  failReason: text("Why the request failed."),
  refundFailReason: text("Why the request could not be refunded."),
  apiKey: text("API keys of the caller that requested the quote, separated by commas."),
  referrer: text("Referrer of the quote; only beside apiKey."),
  requestType: text("Type of the request, in any case."),
  currencyInChainId: wholeNumber("Chain of the input."),
  currencyOutChainId: wholeNumber("Chain of the output."),
  currencyInAddress: text("Address of the input currency."),
  currencyOutAddress: text("Address of the output currency."),
  currencyInSymbol: text("Symbol of the input currency, in any case."),
  currencyOutSymbol: text("Symbol of the output currency, in any case."),
  startTimestamp: seconds("Earliest creation time (update time with sortBy=updatedAt)."),
  endTimestamp: seconds("Latest creation time (update time with sortBy=updatedAt), inclusive."),
  startBlock: wholeNumber("Earliest block of the deposit."),
  endBlock: wholeNumber("Latest block of the deposit, inclusive."),
  amountUsdMin: dollars("Minimum value of the quoted input, in USD."),
  amountUsdMax: dollars("Maximum value of the quoted input, in USD."),
  appFeesAmountUsdMin: dollars("At least these app fees, in USD."),
  appFeesAmountUsdMax: dollars("At most these app fees, in USD."),
  fillTimeMin: duration("Minimum seconds from the deposit's block to the fill's block."),
  fillTimeMax: duration("Maximum seconds from the deposit's block to the fill's block."),
  features: text("Features, separated by commas; a request needs at least one."),
  filters: text(
    'A JSON array of groups: `[{"status":"success","not:user":["0x…"]}]`. A request must match all fields of at least one group.',
  ),
  sortBy: Type.Optional(SortFieldSchema),
  sortDirection: Type.Optional(SortDirectionSchema),
  includeTotal: flag("Count all that match, too."),
} satisfies Record<string, Type.TOptional>);

export type ListingQueryV3 = Type.Static<typeof ListingQueryV3Schema>;
