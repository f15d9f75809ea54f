import type { TopLevelRequestQuery } from "@crosscall/sdk/kit";
import type { RequestQuery, RequestQueryV2 } from "@crosscall/sdk";
import { compact } from "@crosscall/protocol/core";
import { decodeRequestFilters, type RequestFilters } from "@crosscall/protocol/request/records";
import { STATUS_FILTERS } from "@crosscall/protocol/schema";
import type { ServiceOptions } from "../../options/commonOptions.ts";
import { LISTED_STATUSES } from "./filterOptions.ts";

export interface FilterOptions
  extends
    ServiceOptions,
    Omit<TopLevelRequestQuery, "apiKey" | "limit" | "continuation" | "includeTotal" | "status">,
    Pick<RequestQueryV2, "hash" | "referrer" | "includeOrderData"> {
  readonly status?: NonNullable<TopLevelRequestQuery["status"]> | ListedStatus;
  readonly madeWith?: readonly string[];
  /** JSON. */
  readonly filters?: string;
  readonly v2?: boolean;
  readonly force?: boolean;
}

type ListedStatus = (typeof LISTED_STATUSES)[number];

/**
 * Filters for the statuses by which the service cannot filter. Such a request has no other status, and only a waiting
 * request has no deposit.
 */
const CONDITIONS: Readonly<Record<ListedStatus, RequestFilters[number]>> = {
  waiting: { "not:status": [...STATUS_FILTERS], depositTxHash: null },
  submitted: { "not:status": [...STATUS_FILTERS], "not:depositTxHash": null },
};

/** Options that are not listing parameters. */
const OTHERS = ["apiUrl", "apiKey", "v2", "force", "json", "all", "format", "out"];

export type ListingQuery =
  | { readonly version: 3; readonly query: RequestQuery }
  | { readonly version: 2; readonly query: RequestQueryV2; readonly force: boolean };

/** Converts options to the parameters with the same names. Unsupported options are rejected when the query is sent. */
export function toQuery({ madeWith, filters, status, ...options }: FilterOptions): ListingQuery {
  const groups = filters === undefined ? undefined : (decodeRequestFilters(filters) as RequestFilters);
  const listed = options.v2 !== true && isListedStatus(status) ? status : undefined;
  const parameters = {
    ...Object.fromEntries(Object.entries(options).filter(([name]) => !OTHERS.includes(name))),
    // v2 rejects the other parameters when the query is sent.
    ...(listed === undefined ? compact({ status: status as TopLevelRequestQuery["status"] }) : {}),
    ...compact({ filters: listed === undefined ? groups : withStatus(groups, listed) }),
  };
  if (options.v2 !== true) {
    return { version: 3, query: { ...parameters, ...(madeWith === undefined ? {} : { apiKey: madeWith }) } };
  }
  // The v2 listing accepts one key.
  const query = { ...parameters, ...(madeWith === undefined ? {} : { apiKey: madeWith.join(",") }) };
  return { version: 2, query, force: options.force === true };
}

function withStatus([first, ...others]: RequestFilters = [{}], status: ListedStatus): RequestFilters {
  const add = (group: RequestFilters[number]) => ({ ...group, ...CONDITIONS[status] });
  return [add(first), ...others.map(add)];
}

function isListedStatus(status: FilterOptions["status"]): status is ListedStatus {
  return LISTED_STATUSES.some((listed) => listed === status);
}
