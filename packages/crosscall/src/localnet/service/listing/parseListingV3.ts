import type { Feature } from "@crosscall/protocol/common";
import { FEATURES } from "@crosscall/protocol/schema";
import { refuseField } from "../../market/refusal.ts";
import type { FieldCondition, RangeCondition, RangeField, RequestFilter } from "../../store/requests/filter.ts";
import type { Caller } from "../keys/keyRing.ts";
import { FILTER_FIELD_NAMES, parseCondition } from "./filterFields.ts";
import type { Listing } from "./listing.ts";
import { type ListingQueryV3, ListingQueryV3Schema } from "./listingQueryV3.ts";
import { parseFilterGroups } from "./parseFilterGroups.ts";
import { DEFAULT_LIMIT, requireKnownParameters } from "./queryParts.ts";

/** @throws {@link RefusalError} naming the first invalid parameter */
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

/** What v3 has no parameter for any more, with the replacement (spec 1, section 4.2). */
const REMOVED: Readonly<Record<string, string>> = {
  hash: "It went with v2: use term, depositTxHash, fillTxHash or refundTxHash.",
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
    throw refuseField("features", name, "must be known features", `Use ${FEATURES.join(", ")}, separated by commas.`);
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

/** Fill times are whole seconds, so bounds are rounded inward. */
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

/** Referrers are private: only the integrator's own requests are searched (spec 4, section 4). */
function requireKeyForReferrer(query: ListingQueryV3, { conditions, groups }: RequestFilter): void {
  const searched = [...conditions, ...groups.flat()].some(({ field }) => field === "referrer");
  if (!searched || query.apiKey !== undefined) return;
  throw refuseField(
    "apiKey",
    undefined,
    "must be set as a query parameter to filter by referrer; in a group, it is not enough",
    "Set the query parameter apiKey to one of your own keys, also if a group of filters has the referrer.",
  );
}
