import type { TopLevelRequestQuery, RequestQuery } from "@crosscall/sdk/internal/client/requestQuery";
import type { RequestQueryV2 } from "@crosscall/sdk/internal/client/requestQueryV2";
import { decodeRequestFilters, type RequestFilters } from "@crosscall/sdk/internal/protocol/request/requestFilters";
import type { ServiceOptions } from "../options/serviceOptions.ts";

export interface FilterOptions
  extends
    ServiceOptions,
    Omit<TopLevelRequestQuery, "apiKey" | "limit" | "continuation" | "includeTotal">,
    Pick<RequestQueryV2, "hash" | "referrer" | "includeOrderData"> {
  readonly madeWith?: readonly string[];
  /** JSON. */
  readonly filters?: string;
  readonly v2?: boolean;
  readonly force?: boolean;
}

/** Options that are not parameters of a listing. */
const OTHERS = ["apiUrl", "apiKey", "v2", "force", "json", "all", "format", "out"];

export type ListingQuery =
  | { readonly version: 3; readonly query: RequestQuery }
  | { readonly version: 2; readonly query: RequestQueryV2; readonly force: boolean };

/** Options are named like parameters; unsupported ones are rejected when the query is sent. */
export function toQuery({ madeWith, filters, ...options }: FilterOptions): ListingQuery {
  const parameters = {
    ...Object.fromEntries(Object.entries(options).filter(([name]) => !OTHERS.includes(name))),
    ...(filters === undefined ? {} : { filters: decodeRequestFilters(filters) as RequestFilters }),
  };
  if (options.v2 !== true) {
    return { version: 3, query: { ...parameters, ...(madeWith === undefined ? {} : { apiKey: madeWith }) } };
  }
  // The v2 listing takes one key.
  const query = { ...parameters, ...(madeWith === undefined ? {} : { apiKey: madeWith.join(",") }) };
  return { version: 2, query, force: options.force === true };
}
