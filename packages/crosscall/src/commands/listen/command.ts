import { Option } from "commander";

import { addAdminOptions } from "../../admin/adminOptions.ts";
import type { Command } from "../../options/command.ts";

export function defineListen(command: Command): Command {
  return addAdminOptions(command)
    .option("--forward-to <url>", "URL to forward each event to, with its original headers and signature")
    .addOption(
      new Option("--api-key <key>", "API key of the requests to report; it also signs the events")
        .env("CROSSCALL_API_KEY")
        .default("crosscall-local"),
    )
    .option("--json", "print one JSON object per event")
    .examples([
      "crosscall listen",
      "crosscall listen --forward-to http://localhost:4000/webhook",
      "crosscall listen --json | jq .event.data.status",
    ])
    .lazyAction(async () => (await import("./run.ts")).runListen);
}
