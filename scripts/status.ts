import type { Command } from "commander";

import { lazily } from "./options/lazily.ts";
import { addServiceOptions } from "./options/serviceOptions.ts";

export function defineStatus(command: Command): Command {
  return addServiceOptions(command.argument("<requestId>", "request id"))
    .option("--json", "print one JSON object instead of text")
    .addHelpText("after", ["", "Examples:", "  crosscall status 0x…", "  crosscall status 0x… --json"].join("\n"))
    .action(lazily(async () => (await import("./status/runStatus.ts")).runStatus));
}
