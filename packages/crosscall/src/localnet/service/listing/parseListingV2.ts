import * as Type from "typebox";

import { SortDirectionSchema } from "@crosscall/protocol/common";
import { StatusFilterSchema } from "@crosscall/protocol/request";
import { hashApiKey } from "../../store/hashApiKey.ts";
import type { ChainField, FieldCondition, TextField } from "../../store/requests/filter.ts";
import type { Listing } from "./listing.ts";
import { range } from "./parseListingV3.ts";
import { commonQuery, DEFAULT_LIMIT, flag, requireKnownParameters, seconds, text, wholeNumber } from "./queryParts.ts";

/** Query of `GET /requests/v1` and `v2` (spec 1, section 4.1). */
export const ListingQueryV2Schema = Type.Object({
  ...commonQuery,
  user: text("Sender, recipient or deposit address."),
  hash: text("Hash of any transaction of the request."),
  chainId: wholeNumber("Either direction; ignored if originChainId or destinationChainId is set."),
  includeOrderData: flag("Include the order. For pending requests of other integrators, the order has no output."),
  startTimestamp: seconds("Earliest creation time."),
  endTimestamp: seconds("Latest creation time, inclusive."),
  startBlock: wholeNumber("Earliest block of the deposit."),
  endBlock: wholeNumber("Latest block of the deposit, inclusive."),
  referrer: text("Referrer of the quote."),
  status: Type.Optional(StatusFilterSchema),
  apiKey: text("Quoted with this key."),
  sortBy: Type.Optional(
    Type.Enum(["createdAt", "updatedAt"], { type: "string", description: "createdAt by default." }),
  ),
  sortDirection: Type.Optional(SortDirectionSchema),
});

export type ListingQueryV2 = Type.Static<typeof ListingQueryV2Schema>;

/** @throws {@link RejectionError} naming an unknown parameter */
export function parseListingV2(query: ListingQueryV2): Listing {
  requireKnownParameters("/requests/v2", ListingQueryV2Schema, query, {});
  const hasDirection = query.originChainId !== undefined || query.destinationChainId !== undefined;
  return {
    filter: {
      conditions: [
        ...textCondition("id", query.id),
        ...textCondition("orderId", query.orderId),
        ...textCondition("hash", query.hash),
        ...textCondition("depositAddress", query.depositAddress),
        ...textCondition("referrer", query.referrer),
        ...textCondition("apiKeyHash", query.apiKey === undefined ? undefined : hashApiKey(query.apiKey)),
        // v2 has no status for a sent fill.
        ...textCondition("status", query.status, ...(query.status === "pending" ? ["submitted"] : [])),
        ...chainCondition("originChainId", query.originChainId),
        ...chainCondition("destinationChainId", query.destinationChainId),
        ...chainCondition("chainId", hasDirection ? undefined : query.chainId),
      ],
      // Published clients track a deposit address with this parameter.
      groups: [textCondition("user", query.user), textCondition("depositAddress", query.user)].filter(
        (group) => group.length > 0,
      ),
      ranges: [
        ...range("createdAt", query.startTimestamp, query.endTimestamp),
        ...range("depositBlock", query.startBlock, query.endBlock),
      ],
      features: [],
      includesChildren: query.includeChildRequests ?? false,
    },
    sortBy: query.sortBy ?? "createdAt",
    direction: query.sortDirection ?? "desc",
    limit: query.limit ?? DEFAULT_LIMIT,
    continuation: query.continuation,
    includesTotal: false,
  };
}

function textCondition(field: TextField, value: string | undefined, ...others: string[]): FieldCondition[] {
  return value === undefined ? [] : [{ field, values: [value, ...others], isNegated: false }];
}

function chainCondition(field: ChainField, value: number | undefined): FieldCondition[] {
  return value === undefined ? [] : [{ field, values: [value], isNegated: false }];
}
