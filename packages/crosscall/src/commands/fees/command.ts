import { Option } from "commander";

import type { Command } from "../../options/command.ts";
import { addServiceOptions } from "../../options/commonOptions.ts";

export function defineFees(command: Command): Command {
  command
    .addOption(new Option("--from <file>", "quote from `crosscall quote --out`").conflicts(["record", "requestId"]))
    .addOption(new Option("--record <file>", "v3 request record").conflicts("requestId"))
    .option("--request-id <id>", "request id; needs an API key");
  return addServiceOptions(command)
    .option("--json", "print one JSON object instead of progress and text")
    .examples([
      "crosscall fees --from quote.json",
      "CROSSCALL_API_URL=… CROSSCALL_API_KEY=… crosscall fees --request-id 0x… --json",
    ])
    .lazyAction(async () => (await import("./run.ts")).runFees);
}
