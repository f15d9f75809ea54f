import { chainOption } from "../../options/chains.ts";
import type { Command } from "../../options/command.ts";

export function defineDemo(command: Command): Command {
  return command
    .addOption(chainOption())
    .option("--json", "print one JSON object instead of progress and summary")
    .option("--keep", "print the network's URLs and keep it running until Ctrl-C")
    .examples(["crosscall demo", "crosscall demo --json | jq .outcome"])
    .lazyAction(async () => (await import("./run.ts")).runDemo);
}
