import { createServiceClient, type ServiceClient } from "@crosscall/sdk";
import { InvalidInputError } from "@crosscall/protocol/core";
import { type QuoteVersionOptions, toQuoteVersion, type ServiceOptions } from "./commonOptions.ts";

/**
 * Creates a client for a service. The API key is sent only to the service, and never appears in output or errors.
 *
 * @param needsKey whether the endpoint rejects requests without an API key
 */
export function openService(
  { apiUrl, apiKey, ...options }: ServiceOptions & QuoteVersionOptions,
  { needsKey = false }: { readonly needsKey?: boolean } = {},
): ServiceClient {
  // Shell scripts pass an empty value for an unset variable.
  if (apiUrl === undefined || apiUrl === "") {
    throw new InvalidInputError({
      field: "--api-url",
      value: undefined,
      reason: "the command requires a service",
      hint: "Pass the service's base URL with the option or in CROSSCALL_API_URL; `crosscall up` prints the URL of a local service.",
    });
  }
  if (needsKey && (apiKey === undefined || apiKey === "")) {
    throw new InvalidInputError({
      field: "--api-key",
      value: undefined,
      reason: "GET /requests/v3 requires an API key",
      hint: "Pass --api-key, or set CROSSCALL_API_KEY. A local network accepts the key crosscall-local.",
    });
  }
  return createServiceClient({
    baseUrl: apiUrl,
    ...(apiKey === undefined || apiKey === "" ? {} : { apiKey }),
    ...toQuoteVersion(options),
  });
}
