import { Option } from "commander";

import { LOCAL_ADMIN_KEY } from "../../src/localnet/defaults.ts";
import type { Command } from "../options/command.ts";

export interface AdminOptions {
  /** By default that of {@link networkUrl}. */
  readonly url?: string;
  readonly adminKey: string;
  readonly json?: boolean;
}

export function addAdminOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--url <url>",
        "service of the running network (default: that of crosscall up in this folder, else http://127.0.0.1:3000)",
      ).env("CROSSCALL_API_URL"),
    )
    .addOption(
      new Option("--admin-key <key>", "admin key; prefer the environment variable")
        .env("CROSSCALL_ADMIN_KEY")
        .default(LOCAL_ADMIN_KEY),
    );
}
