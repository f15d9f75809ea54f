import * as Type from "typebox";

import { type Feature, SortDirectionSchema, SortFieldSchema } from "@crosscall/protocol/common";
import { FEATURES } from "@crosscall/protocol/schema";
import { rejectField } from "../../market/rejection.ts";
import type { FieldCondition, RangeCondition, RangeField, RequestFilter } from "../../store/requests/filter.ts";
import type { Caller } from "../keys/keyRing.ts";
import { FILTER_FIELD_NAMES, parseCondition, parseFilterGroups } from "./filters.ts";
import type { Listing } from "./listing.ts";
import { commonQuery, DEFAULT_LIMIT, flag, requireKnownParameters, seconds, text, wholeNumber } from "./queryParts.ts";

const dollars = (description: string) =>
  Type.Optional(Type.String({ pattern: "^[0-9]{1,90}(\\.[0-9]{1,30})?$", description }));
const duration = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }));

/** Query of `GET /requests/v3` (spec 1, section 4.2). Includes `referrer`, as the live service since 19 August 2026. */
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
  referrer: text("Referrer of the quote; requires apiKey."),
  requestType: text("Type of the request; case-insensitive."),
  currencyInChainId: wholeNumber("Chain of the input."),
  currencyOutChainId: wholeNumber("Chain of the output."),
  currencyInAddress: text("Address of the input currency."),
  currencyOutAddress: text("Address of the output currency."),
  currencyInSymbol: text("Symbol of the input currency; case-insensitive."),
  currencyOutSymbol: text("Symbol of the output currency; case-insensitive."),
  startTimestamp: seconds("Earliest creation time (update time with sortBy=updatedAt)."),
  endTimestamp: seconds("Latest creation time (update time with sortBy=updatedAt), inclusive."),
  startBlock: wholeNumber("Earliest block of the deposit."),
  endBlock: wholeNumber("Latest block of the deposit, inclusive."),
  amountUsdMin: dollars("Minimum value of the quoted input, in USD."),
  amountUsdMax: dollars("Maximum value of the quoted input, in USD."),
  appFeesAmountUsdMin: dollars("Minimum app fees, in USD."),
  appFeesAmountUsdMax: dollars("Maximum app fees, in USD."),
  fillTimeMin: duration("Minimum seconds from the deposit's block to the fill's block."),
  fillTimeMax: duration("Maximum seconds from the deposit's block to the fill's block."),
  features: text("Features, separated by commas. Matches requests with at least one."),
  filters: text(
    'A JSON array of groups: `[{"status":"success","not:user":["0x…"]}]`. A request must match all fields of at least one group.',
  ),
  sortBy: Type.Optional(SortFieldSchema),
  sortDirection: Type.Optional(SortDirectionSchema),
  includeTotal: flag("Also count all matching requests."),
} satisfies Record<string, Type.TOptional>);

export type ListingQueryV3 = Type.Static<typeof ListingQueryV3Schema>;

/** @throws {@link RejectionError} naming the first invalid parameter */
export function parseListingV3(query: ListingQueryV3, caller: Caller): Listing {
  requireKnownParameters("/requests/v3", ListingQueryV3Schema, query, REMOVED);
  const sortBy = query.sortBy ?? "createdAt";
  const filter: RequestFilter = {
    conditions: parseConditions(query, caller),
    groups: query.filters === undefined ? [] : parseFilterGroups(query.filters, caller),
    ranges: toRanges(query, sortBy === "updatedAt" ? "updatedAt" : "createdAt"),
    features: query.features === undefined ? [] : parseFeatures(query.features),
    includesChildren: query.includeChildRequests ?? false,
  };
  requireKeyForReferrer(query, filter);
  return {
    filter,
    sortBy,
    direction: query.sortDirection ?? (sortBy === "amountUsd" ? "asc" : "desc"),
    limit: query.limit ?? DEFAULT_LIMIT,
    continuation: query.continuation,
    includesTotal: query.includeTotal ?? false,
  };
}

/** Parameters that v3 removed, with their replacements (spec 1, section 4.2). */
const REMOVED: Readonly<Record<string, string>> = {
  hash: "v3 removed it. Use term, depositTxHash, fillTxHash or refundTxHash.",
};

function parseConditions(query: ListingQueryV3, caller: Caller): FieldCondition[] {
  const search: FieldCondition[] =
    query.term === undefined ? [] : [{ field: "term", values: [query.term], isNegated: false }];
  const fields = FILTER_FIELD_NAMES.flatMap((name) => {
    const value = query[name];
    if (value === undefined) return [];
    const values = name === "apiKey" ? String(value).split(",") : [value];
    return [parseCondition({ name, values, isNegated: false, path: name, caller })];
  });
  return [...search, ...fields];
}

function parseFeatures(text: string): Feature[] {
  return text.split(",").map((name) => {
    const feature = FEATURES.find((each) => each === name);
    if (feature !== undefined) return feature;
    throw rejectField("features", name, "must be known features", `Use ${FEATURES.join(", ")}, separated by commas.`);
  });
}

function toRanges(query: ListingQueryV3, timeField: "createdAt" | "updatedAt"): RangeCondition[] {
  return [
    range(timeField, query.startTimestamp, query.endTimestamp),
    range("depositBlock", query.startBlock, query.endBlock),
    range("amountUsd", query.amountUsdMin, query.amountUsdMax),
    range("appFeesAmountUsd", query.appFeesAmountUsdMin, query.appFeesAmountUsdMax),
    range("fillTime", roundWith(Math.ceil, query.fillTimeMin), roundWith(Math.floor, query.fillTimeMax)),
  ].flat();
}

/** Rounds a bound of the fill time inward, because fill times are whole seconds. */
function roundWith(round: (seconds: number) => number, seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : round(seconds);
}

export function range(
  field: RangeField,
  min: number | string | undefined,
  max: number | string | undefined,
): RangeCondition[] {
  if (min === undefined && max === undefined) return [];
  return [
    {
      field,
      ...(min === undefined ? {} : { min: min.toString() }),
      ...(max === undefined ? {} : { max: max.toString() }),
    },
  ];
}

/**
 * Requires an API key for `referrer`. Referrers are private, so only the integrator's own requests are searched (spec
 * 4, section 4).
 */
function requireKeyForReferrer(query: ListingQueryV3, { conditions, groups }: RequestFilter): void {
  const searched = [...conditions, ...groups.flat()].some(({ field }) => field === "referrer");
  if (!searched || query.apiKey !== undefined) return;
  throw rejectField(
    "apiKey",
    undefined,
    "must be a query parameter to filter by referrer; a field of a group is not enough",
    "Set the query parameter apiKey to one of your own keys, even if the referrer is in a group of filters.",
  );
}
