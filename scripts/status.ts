import type { Command } from "./options/command.ts";
import { addServiceOptions } from "./options/serviceOptions.ts";

export function defineStatus(command: Command): Command {
  return addServiceOptions(command)
    .argument("<requestId>", "request id")
    .option("--json", "print one JSON object instead of text")
    .examples(["crosscall status 0x…", "crosscall status 0x… --json"])
    .lazyAction(async () => (await import("./watch/runWatch.ts")).runStatus);
}
