import { Option } from "commander";

import type { Command } from "./command.ts";

export interface ServiceOptions {
  readonly apiUrl?: string;
  readonly apiKey?: string;
}

export function addServiceOptions(command: Command): Command {
  return command
    .addOption(new Option("--api-url <url>", "base URL of the service").env("CROSSCALL_API_URL"))
    .addOption(new Option("--api-key <key>", "API key; prefer the environment variable").env("CROSSCALL_API_KEY"));
}
