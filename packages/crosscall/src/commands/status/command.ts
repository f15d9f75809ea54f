import type { Command } from "../../options/command.ts";
import { addServiceOptions } from "../../options/commonOptions.ts";

export function defineStatus(command: Command): Command {
  return addServiceOptions(command)
    .argument("[requestId]", "request id (default: show the running local network)")
    .option("--json", "print one JSON object instead of text")
    .examples(["crosscall status", "crosscall status --json", "crosscall status 0x… --api-url https://…"])
    .lazyAction(async () => (await import("./run.ts")).runStatus);
}
