import { type RequestRecord, RequestRecordSchema } from "@crosscall/protocol/request/records";
import { readResponse } from "@crosscall/protocol/schema";
import { callService } from "./callService.ts";
import { requireApiKey, type ServiceClient } from "./client.ts";
import { RecordPageSchema } from "./iteratePages.ts";
import { encodeRequestQuery, type RequestQuery } from "./requestQuery.ts";

export type ListRequestsParameters = RequestQuery & { readonly signal?: AbortSignal | undefined };

/** A page of a listing. */
export interface RequestPage {
  /** Records with unreadable fields list them in `unreadable`, with the record as received. */
  readonly requests: readonly RequestRecord[];
  /** The next page's cursor; undefined on the last page. */
  readonly continuation: string | undefined;
  /** Number of all matching requests; only with `includeTotal`. */
  readonly total: number | undefined;
}

/**
 * Returns a page of requests (`GET /requests/v3`, spec 1, section 4.2; envelope: spec 4, section 4).
 *
 * @throws {@link InvalidInputError} when the client has no API key or a parameter cannot be used; nothing is sent then
 * @throws {@link ServiceError} when the service refuses, for example an API key that is not the caller's
 */
export async function listRequests(
  client: ServiceClient,
  parameters: ListRequestsParameters = {},
): Promise<RequestPage> {
  const { signal, ...query } = parameters;
  requireApiKey(client, "GET /requests/v3");
  const { requests, continuation, total } = await callService(client, {
    method: "GET",
    path: "/requests/v3",
    ...encodeRequestQuery(query),
    schema: RecordPageSchema,
    needs: ["requests"],
    requestId: query.id,
    signal,
  });
  return {
    requests: requests.map((record) => readResponse(RequestRecordSchema, record)),
    continuation: continuation ?? undefined,
    total: total ?? undefined,
  };
}
