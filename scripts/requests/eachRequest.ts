import type { ServiceClient } from "@crosscall/sdk/internal/client/client";
import { iterateRequests, iterateRequestsV2 } from "@crosscall/sdk/internal/client/iterateRequests";
import type { RequestRecord } from "@crosscall/sdk/internal/protocol/request/requestRecord";
import type { RequestRecordV2 } from "@crosscall/sdk/internal/protocol/v2/requestRecordV2";
import { toV3 } from "@crosscall/sdk/internal/protocol/v2/toV3";
import type { ListingQuery } from "./toQuery.ts";

/** As received, and as v3. */
export interface ListedRequest {
  readonly raw: RequestRecord | RequestRecordV2;
  readonly record: ReturnType<typeof toV3>["record"];
}

/** On all pages, of either version. */
export async function* eachRequest(
  client: ServiceClient,
  listing: ListingQuery,
  signal: AbortSignal,
): AsyncGenerator<ListedRequest, void, undefined> {
  if (listing.version === 3) {
    for await (const raw of iterateRequests(client, listing.query, { signal })) yield { raw, record: raw };
    return;
  }
  const { query, force } = listing;
  for await (const raw of iterateRequestsV2(client, query, { signal, force })) yield fromV2(raw);
}

export function fromV2(raw: RequestRecordV2): ListedRequest {
  return { raw, record: toV3(raw).record };
}
