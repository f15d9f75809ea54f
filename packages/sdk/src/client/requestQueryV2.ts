import type { StatusFilter } from "@crosscall/protocol/request";
import type { SortDirection } from "@crosscall/protocol/common";
import { encodeQuery, type QueryField } from "./queryFields.ts";

/** Query of `GET /requests/v2` (spec 1, section 4.1). */
export interface RequestQueryV2 {
  /** Requests per page, from 1 to 50; 20 by default. */
  readonly limit?: number;
  /** The previous page's cursor. */
  readonly continuation?: string;
  /** Sender or recipient. */
  readonly user?: string;
  /** Hash of an origin or destination transaction. */
  readonly hash?: string;
  readonly originChainId?: number;
  readonly destinationChainId?: number;
  /** Either direction; ignored if one of the two above is set. */
  readonly chainId?: number;
  /** UUIDs. */
  readonly privateChainsToInclude?: readonly string[];
  readonly id?: string;
  readonly orderId?: string;
  readonly includeOrderData?: boolean;
  /** Time of creation, a Date or Unix seconds, inclusive. */
  readonly startTimestamp?: Date | number;
  readonly endTimestamp?: Date | number;
  /** Origin block numbers, inclusive. */
  readonly startBlock?: number;
  readonly endBlock?: number;
  readonly referrer?: string;
  readonly depositAddress?: string;
  /** With `id` or `depositAddress`: also duplicates, retries and refunds. */
  readonly includeChildRequests?: boolean;
  readonly includeAuthenticatedData?: boolean;
  readonly status?: StatusFilter;
  /** Requests made with this API key. */
  readonly apiKey?: string;
  /** `createdAt` by default. */
  readonly sortBy?: "createdAt" | "updatedAt";
  readonly sortDirection?: SortDirection;
}

const FIELDS: Readonly<Record<keyof RequestQueryV2, QueryField>> = {
  limit: "page size",
  continuation: "text",
  user: "text",
  hash: "text",
  originChainId: "whole number",
  destinationChainId: "whole number",
  chainId: "whole number",
  privateChainsToInclude: "list",
  id: "text",
  orderId: "text",
  includeOrderData: "flag",
  startTimestamp: "time",
  endTimestamp: "time",
  startBlock: "whole number",
  endBlock: "whole number",
  referrer: "text",
  depositAddress: "text",
  includeChildRequests: "flag",
  includeAuthenticatedData: "flag",
  status: "text",
  apiKey: "text",
  sortBy: "text",
  sortDirection: "text",
};

/** Also returns the API key in it. */
export function encodeRequestQueryV2(query: RequestQueryV2): { query: Record<string, string>; secrets: string[] } {
  return { query: encodeQuery(FIELDS, query), secrets: query.apiKey === undefined ? [] : [query.apiKey] };
}
