import { MessageSchema } from "@crosscall/protocol/common";
import { callService } from "./callService.ts";
import type { ServiceClient } from "./client.ts";
import { checkBody } from "./queryFields.ts";

/** Parameters of `setRequestMetadata`. */
export interface SetRequestMetadataParameters {
  readonly requestId: string;
  /** Id of the user's purchase at the payment partner. */
  readonly moonPayId: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Attaches a payment partner's id to a request (`POST /requests/metadata`). Its record then has the id in
 * `data.externalMetadata`.
 *
 * @throws {@link InvalidInputError} when an id is missing; nothing is sent then
 * @throws {@link ServiceError} with status 404 when the service does not know the request
 */
export async function setRequestMetadata(
  client: ServiceClient,
  { signal, ...ids }: SetRequestMetadataParameters,
): Promise<void> {
  const { requestId, moonPayId } = checkBody({ requestId: "text", moonPayId: "text" }, ids, ["requestId", "moonPayId"]);
  await callService(client, {
    method: "POST",
    path: "/requests/metadata",
    body: { requestId, additionalMetadata: { moonPayId } },
    schema: MessageSchema,
    requestId,
    signal,
  });
}
