import { Command } from "commander";

import { exportCommand } from "./requests/export.ts";
import { getCommand } from "./requests/get.ts";
import { listCommand } from "./requests/list.ts";

/** `crosscall requests`: the service's record of requests. */
export function requestsCommand(): Command {
  return new Command("requests")
    .description("List, look up and export requests of an API key.")
    .addCommand(listCommand())
    .addCommand(getCommand())
    .addCommand(exportCommand());
}
