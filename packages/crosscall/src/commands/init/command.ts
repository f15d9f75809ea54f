import type { Command } from "../../options/command.ts";

export function defineInit(command: Command): Command {
  return command
    .argument("[folder]", "folder of the project", ".")
    .option("--dry-run", "print the changes without writing files")
    .option("--yes", "write without confirmation")
    .option("--json", "print one JSON object instead of text")
    .examples(["crosscall init", "crosscall init my-app --dry-run", "crosscall init --yes"])
    .lazyAction(async () => (await import("./run.ts")).runInit);
}
