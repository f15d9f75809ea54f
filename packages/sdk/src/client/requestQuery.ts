import type { FailReason, RefundFailReason } from "@crosscall/protocol/request";
import type { ReferrerFilterGroup, RequestFilterFields, RequestFilters } from "@crosscall/protocol/request/records";
import type { Feature, RequestType, SortDirection, SortField } from "@crosscall/protocol/common";
import { InvalidInputError } from "@crosscall/protocol/core";
import { encodeQuery, type QueryField } from "./queryFields.ts";

/** Parameters of `GET /requests/v3` except `filters` (spec 1, section 4.2). */
export interface TopLevelRequestQuery {
  /** Request id, wallet, deposit address or transaction hash to search for. */
  readonly term?: string;
  readonly id?: string;
  readonly orderId?: string;
  readonly depositTxHash?: string;
  readonly fillTxHash?: string;
  readonly refundTxHash?: string;
  readonly originChainId?: number;
  readonly destinationChainId?: number;
  /** Either direction. */
  readonly chainId?: number;
  /** UUIDs. */
  readonly privateChainsToInclude?: readonly string[];
  readonly user?: string;
  readonly depositAddress?: string;
  readonly recipient?: string;
  readonly status?: RequestFilterFields["status"];
  readonly failReason?: FailReason;
  readonly refundFailReason?: RefundFailReason;
  /** Requests made with one of these API keys. */
  readonly apiKey?: string | readonly string[];
  readonly requestType?: RequestType;
  readonly currencyInChainId?: number;
  readonly currencyOutChainId?: number;
  readonly currencyInAddress?: string;
  readonly currencyOutAddress?: string;
  readonly currencyInSymbol?: string;
  readonly currencyOutSymbol?: string;
  /**
   * Start as a Date or Unix seconds, inclusive; compared with `updatedAt` when sorting by it, otherwise with
   * `createdAt`.
   */
  readonly startTimestamp?: Date | number;
  readonly endTimestamp?: Date | number;
  /** Origin block numbers, inclusive. */
  readonly startBlock?: number;
  readonly endBlock?: number;
  /** Amounts in US dollars as decimal strings, such as `"12.50"`. */
  readonly amountUsdMin?: string;
  readonly amountUsdMax?: string;
  readonly appFeesAmountUsdMin?: string;
  readonly appFeesAmountUsdMax?: string;
  /** Seconds from the deposit to the fill. */
  readonly fillTimeMin?: number;
  readonly fillTimeMax?: number;
  /** One of these. */
  readonly features?: readonly Feature[];
  /** Whether to also list duplicates, retries and refunds of the request with `id`. */
  readonly includeChildRequests?: boolean;
  /** `createdAt` by default. */
  readonly sortBy?: SortField;
  /** Sort direction. Defaults to `desc` for times and `asc` for `amountUsd`. */
  readonly sortDirection?: SortDirection;
  /** Whether to include fields that only the integrator of a request may see; for trusted servers. */
  readonly includeAuthenticatedData?: boolean;
  /** Whether to also count all matching requests. */
  readonly includeTotal?: boolean;
  /** Requests per page, from 1 to 50. */
  readonly limit?: number;
  /** The previous page's cursor. */
  readonly continuation?: string;
}

type ApiKeys = NonNullable<TopLevelRequestQuery["apiKey"]>;

/**
 * Query of `GET /requests/v3`. All given parameters and at least one group of `filters` must match. A `referrer`, even
 * in a group, requires `apiKey`.
 */
export type RequestQuery = TopLevelRequestQuery &
  (
    | { readonly filters?: RequestFilters }
    | { readonly filters?: RequestFilters<ReferrerFilterGroup>; readonly referrer?: string; readonly apiKey: ApiKeys }
  );

const FIELDS: Readonly<Record<keyof RequestQuery | "referrer", QueryField>> = {
  term: "text",
  id: "text",
  orderId: "text",
  depositTxHash: "text",
  fillTxHash: "text",
  refundTxHash: "text",
  originChainId: "whole number",
  destinationChainId: "whole number",
  chainId: "whole number",
  privateChainsToInclude: "list",
  user: "text",
  depositAddress: "text",
  recipient: "text",
  status: "text",
  failReason: "text",
  refundFailReason: "text",
  apiKey: "list",
  referrer: "text",
  requestType: "text",
  currencyInChainId: "whole number",
  currencyOutChainId: "whole number",
  currencyInAddress: "text",
  currencyOutAddress: "text",
  currencyInSymbol: "text",
  currencyOutSymbol: "text",
  startTimestamp: "time",
  endTimestamp: "time",
  startBlock: "whole number",
  endBlock: "whole number",
  amountUsdMin: "USD",
  amountUsdMax: "USD",
  appFeesAmountUsdMin: "USD",
  appFeesAmountUsdMax: "USD",
  fillTimeMin: "seconds",
  fillTimeMax: "seconds",
  features: "list",
  includeChildRequests: "flag",
  filters: "filters",
  sortBy: "text",
  sortDirection: "text",
  includeAuthenticatedData: "flag",
  includeTotal: "flag",
  limit: "page size",
  continuation: "text",
};

/** Encodes the query, and returns its API keys separately. */
export function encodeRequestQuery(query: RequestQuery): { query: Record<string, string>; secrets: string[] } {
  const encoded = encodeQuery(FIELDS, query);
  const groups: readonly ReferrerFilterGroup[] = query.filters ?? [];
  const seeksReferrer = [encoded, ...groups].some((group) => "referrer" in group || "not:referrer" in group);
  if (seeksReferrer && encoded.apiKey === undefined) {
    throw new InvalidInputError({
      field: "apiKey",
      value: undefined,
      reason: "a referrer requires API keys",
      hint: "Pass one or more of your keys as apiKey.",
    });
  }
  const keys = [query.apiKey, ...groups.flatMap((group) => [group.apiKey, group["not:apiKey"]])];
  return { query: encoded, secrets: keys.flat().filter((key) => typeof key === "string") };
}
