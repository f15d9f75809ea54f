import { InvalidInputError } from "@crosscall/protocol/core";
import { type DepositAddressEntry, DepositAddressEntrySchema } from "@crosscall/protocol/request/records";
import { callService } from "./callService.ts";
import { requireApiKey, type ServiceClient } from "./client.ts";
import { encodeQuery } from "./queryFields.ts";

/** Parameters of `getDepositAddress`: the address, or the request that was quoted with it. */
export type GetDepositAddressParameters = (
  | { readonly address: string; readonly requestId?: never }
  | { readonly requestId: string; readonly address?: never }
) & { readonly signal?: AbortSignal | undefined };

/**
 * Returns a deposit address with its request (`GET /deposit-addresses/v1`).
 *
 * @throws {@link InvalidInputError} when the client has no API key, or not exactly one of the two is given; nothing is
 * sent then
 * @throws {@link MalformedDataError} when the response has no `depositAddress` or `requestId`
 * @throws {@link ServiceError} with status 404 when the service does not know the address
 */
export async function getDepositAddress(
  client: ServiceClient,
  { signal, ...query }: GetDepositAddressParameters,
): Promise<DepositAddressEntry & { depositAddress: string; requestId: string }> {
  requireApiKey(client, "GET /deposit-addresses/v1");
  const encoded = encodeQuery({ address: "text", requestId: "text" }, query);
  if (Object.keys(encoded).length !== 1) {
    throw new InvalidInputError({
      field: "address",
      value: query.address,
      reason: "exactly one of address and requestId is required",
      hint: "Pass either address or requestId.",
    });
  }
  return callService(client, {
    method: "GET",
    path: "/deposit-addresses/v1",
    query: encoded,
    schema: DepositAddressEntrySchema,
    needs: ["depositAddress", "requestId"],
    requestId: query.requestId,
    signal,
  });
}
