import { type Command, Option } from "commander";

/** What {@link addServiceOptions} adds, as commander hands it over. */
export interface ServiceOptions {
  readonly apiUrl?: string;
  readonly apiKey?: string;
}

/** Adds `--api-url` and `--api-key`, which override `CROSSCALL_API_URL` and `CROSSCALL_API_KEY`. */
export function addServiceOptions(command: Command): Command {
  return command
    .addOption(new Option("--api-url <url>", "base URL of the service").env("CROSSCALL_API_URL"))
    .addOption(new Option("--api-key <key>", "API key; prefer the environment variable").env("CROSSCALL_API_KEY"));
}
