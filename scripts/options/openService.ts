import { createServiceClient, type ServiceClient } from "@crosscall/sdk/internal/client/client";
import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";
import type { ServiceOptions } from "./serviceOptions.ts";

/**
 * The client of the service that the options name. The key goes to the service only: never into output or errors.
 *
 * @throws {@link InvalidInputError} when there is no URL, or it cannot be used
 */
export function openService({ apiUrl, apiKey }: ServiceOptions): ServiceClient {
  // An empty variable is how a shell script says that there is none.
  if (apiUrl === undefined || apiUrl === "") {
    throw new InvalidInputError({
      field: "--api-url",
      value: undefined,
      reason: "the command needs to know the service",
      hint: "Give the service's base URL by the option or in CROSSCALL_API_URL; `crosscall up` prints one.",
    });
  }
  return createServiceClient({ baseUrl: apiUrl, ...(apiKey === undefined || apiKey === "" ? {} : { apiKey }) });
}
