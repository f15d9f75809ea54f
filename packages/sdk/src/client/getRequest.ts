import type { RequestRecord } from "@crosscall/protocol/request/records";
import type { ServiceClient } from "./client.ts";
import { RequestNotFoundError } from "./errors.ts";
import { listRequests } from "./listRequests.ts";

export interface GetRequestParameters {
  readonly requestId: string;
  /** Fields that only the integrator of the request may see; for trusted servers. */
  readonly includeAuthenticatedData?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the record of one request (`GET /requests/v3` by id).
 *
 * @throws {@link RequestNotFoundError} when the service lists none of this id
 * @throws {@link InvalidInputError} when the client has no API key; nothing is sent then
 */
export async function getRequest(
  client: ServiceClient,
  { requestId, ...parameters }: GetRequestParameters,
): Promise<RequestRecord> {
  const { requests } = await listRequests(client, { ...parameters, id: requestId });
  const record = requests.find(({ id }) => id?.toLowerCase() === requestId.toLowerCase());
  if (record === undefined) throw new RequestNotFoundError({ requestId });
  return record;
}
