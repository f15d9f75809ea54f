import { Option } from "commander";

import { addAdminOptions } from "../../admin/adminOptions.ts";
import type { Command } from "../../options/command.ts";

export function defineListen(command: Command): Command {
  return addAdminOptions(command)
    .option("--forward-to <url>", "URL that receives each event, with its headers and signature unchanged")
    .addOption(
      new Option("--api-key <key>", "API key that selects the requests to report and signs the events")
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
