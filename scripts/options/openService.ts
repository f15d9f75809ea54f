import { createServiceClient, type ServiceClient } from "@crosscall/sdk/internal/client/client";
import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";
import type { ServiceOptions } from "./serviceOptions.ts";

/** The API key goes only to the service: never into output or errors. */
export function openService({ apiUrl, apiKey }: ServiceOptions): ServiceClient {
  // Shell scripts pass an empty variable for none.
  if (apiUrl === undefined || apiUrl === "") {
    throw new InvalidInputError({
      field: "--api-url",
      value: undefined,
      reason: "the command needs to know the service",
      hint: "Pass the service's base URL with the option or in CROSSCALL_API_URL; `crosscall up` prints one.",
    });
  }
  return createServiceClient({ baseUrl: apiUrl, ...(apiKey === undefined || apiKey === "" ? {} : { apiKey }) });
}
