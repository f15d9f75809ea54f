import { Option } from "commander";

import type { Command } from "../options/command.ts";

export interface AdminOptions {
  /** Defaults to this folder's network. */
  readonly url?: string;
  /** Defaults to the key of this folder's network if `url` is its service. */
  readonly adminKey?: string;
  readonly json?: boolean;
}

export function addAdminOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--url <url>",
        "service of the running network (default: the network of `crosscall up` in this folder)",
      ).env("CROSSCALL_API_URL"),
    )
    .addOption(
      new Option(
        "--admin-key <key>",
        "admin key; prefer the environment variable (default: the key of `crosscall up` in this folder)",
      ).env("CROSSCALL_ADMIN_KEY"),
    );
}
