import { readResponse } from "../protocol/schema/readResponse.ts";
import { type RequestRecordV2, RequestRecordV2Schema } from "../protocol/v2/requestRecordV2.ts";
import { callService } from "./callService.ts";
import type { ServiceClient } from "./client.ts";
import { noteDeprecation } from "./deprecation.ts";
import { EndpointRetiredError } from "./errors.ts";
import { RecordPageSchema } from "./iteratePages.ts";
import { encodeRequestQueryV2, type RequestQueryV2 } from "./requestQueryV2.ts";

const ENDPOINT = "GET /requests/v2";

/** Spec 1, section 9. */
const RETIRED_AT = new Date("2026-11-24T00:00:00Z");

export interface ListRequestsV2Parameters extends RequestQueryV2 {
  /** Calls the service even after the end of v2. */
  readonly force?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface RequestPageV2 {
  /** Records with unreadable fields list them in `unreadable`, with the record as received. */
  readonly requests: readonly RequestRecordV2[];
  /** The next page's cursor; undefined on the last page. */
  readonly continuation: string | undefined;
}

/**
 * Returns a page of v2 requests (`GET /requests/v2`, spec 1, section 4.1). The API key is optional here. The
 * deprecation notice of v2 goes to the client's `onDeprecation` once. Prefer `listRequests`: v2 is deprecated since
 * July 22, 2026, and ends on November 24, 2026.
 *
 * @throws {@link EndpointRetiredError} from November 24, 2026 on, unless forced; nothing is sent then
 * @throws {@link InvalidInputError} when a parameter cannot be used; nothing is sent then
 * @throws {@link ServiceError} when the service refuses; for 429, `errorData` names the successor
 */
export async function listRequestsV2(
  client: ServiceClient,
  parameters: ListRequestsV2Parameters = {},
): Promise<RequestPageV2> {
  const { signal, force = false, ...query } = parameters;
  if (!force && client.timer.now() >= RETIRED_AT.getTime()) {
    throw new EndpointRetiredError({ endpoint: ENDPOINT, retiredAt: RETIRED_AT, successor: "GET /requests/v3" });
  }
  const { requests, continuation } = await callService(client, {
    method: "GET",
    path: "/requests/v2",
    ...encodeRequestQueryV2(query),
    schema: RecordPageSchema,
    needs: ["requests"],
    requestId: query.id,
    signal,
    onAnswer: (answer) => noteDeprecation(client, ENDPOINT, answer),
  });
  return {
    requests: requests.map((record) => readResponse(RequestRecordV2Schema, record)),
    continuation: continuation ?? undefined,
  };
}
