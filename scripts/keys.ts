import { Command } from "commander";

import { addCommand } from "./keys/add.ts";
import { listCommand } from "./keys/list.ts";
import { removeCommand } from "./keys/remove.ts";

/** `crosscall keys`: the API keys of a running network. */
export function keysCommand(): Command {
  return new Command("keys")
    .description("Add, list and revoke API keys of a running network.")
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(removeCommand());
}
