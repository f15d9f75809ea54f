import type { ServiceClient } from "@crosscall/sdk/internal/client/client";
import { iterateRequests } from "@crosscall/sdk/internal/client/iterateRequests";
import { iterateRequestsV2 } from "@crosscall/sdk/internal/client/iterateRequestsV2";
import type { RequestRecord } from "@crosscall/sdk/internal/protocol/request/requestRecord";
import type { RequestRecordV2 } from "@crosscall/sdk/internal/protocol/v2/requestRecordV2";
import { toV3 } from "@crosscall/sdk/internal/protocol/v2/toV3";
import type { ListingQuery } from "./toQuery.ts";

/** A record as the service gave it, and as v3 has it. */
export interface ListedRequest {
  readonly raw: RequestRecord | RequestRecordV2;
  readonly record: ReturnType<typeof toV3>["record"];
}

/** All requests that match, on all pages, in either version. */
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

/** A record of v2 with what v3 makes of it. */
export function fromV2(raw: RequestRecordV2): ListedRequest {
  return { raw, record: toV3(raw).record };
}
