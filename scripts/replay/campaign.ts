import { Command } from "commander";

import { runCommand } from "./campaign/run.ts";
import { showCommand } from "./campaign/show.ts";
import { workCommand } from "./campaign/work.ts";

/** `crosscall replay campaign`: many fills. */
export function campaignCommand(): Command {
  return new Command("campaign")
    .description("Replay many fills, with several workers, on one machine or on many; it may be stopped and goes on.")
    .addCommand(runCommand())
    .addCommand(workCommand())
    .addCommand(showCommand());
}
