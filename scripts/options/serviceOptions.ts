import { type Command, Option } from "commander";

import { createServiceClient, type ServiceClient } from "../../src/client/client.ts";
import { InvalidInputError } from "../../src/core/errors.ts";

/** What {@link addServiceOptions} adds, as commander hands it over. */
export interface ServiceOptions {
  readonly apiUrl?: string;
  readonly apiKey?: string;
}

/** Adds `--api-url` and `--api-key`, which override `CROSSCALL_API_URL` and `CROSSCALL_API_KEY`. */
export function addServiceOptions(command: Command): Command {
  return command
    .addOption(new Option("--api-url <url>", "the service's base URL").env("CROSSCALL_API_URL"))
    .addOption(new Option("--api-key <key>", "API key; better by the variable").env("CROSSCALL_API_KEY"));
}

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
      cure: "Give the service's base URL by the option or in CROSSCALL_API_URL; `crosscall up` prints one.",
    });
  }
  return createServiceClient({ baseUrl: apiUrl, ...(apiKey === undefined || apiKey === "" ? {} : { apiKey }) });
}
