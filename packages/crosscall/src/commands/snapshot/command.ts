import { addAdminOptions } from "../../admin/adminOptions.ts";
import type { Command } from "../../options/command.ts";

export function defineSnapshot(command: Command): Command {
  addAdminOptions(command.command("save"))
    .description(
      "Save the chains, database, clock and options of a running network at one moment, for example between a deposit and its fill. The file contains the network's keys.",
    )
    .argument("<file>", "file to write")
    .option("--json", "print one JSON object instead of text")
    .examples(["crosscall snapshot save held.snapshot", "crosscall up --from held.snapshot"])
    .lazyAction(async () => (await import("./run.ts")).runSave);
  command
    .command("list")
    .description("Show the contents of snapshots: time, chains with their heights, and requests by status.")
    .argument("<files...>", "files from `crosscall snapshot save`")
    .option("--json", "print one JSON object instead of text")
    .examples(["crosscall snapshot list held.snapshot", "crosscall snapshot list *.snapshot --json"])
    .lazyAction(async () => (await import("./run.ts")).runList);
  return command;
}
