import { type Command, Option } from "commander";

import { lazily } from "./options/lazily.ts";
import { addServiceOptions } from "./options/serviceOptions.ts";

/** `crosscall fees`: who pays what. */
export function defineFees(command: Command): Command {
  command
    .addOption(new Option("--from <file>", "a quote, as crosscall quote writes it").conflicts(["record", "requestId"]))
    .addOption(new Option("--record <file>", "a v3 request record").conflicts("requestId"))
    .option("--request-id <id>", "a request that the service lists; needs an API key");
  return addServiceOptions(command)
    .option("--json", "print one JSON object instead of progress and text")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall fees --from quote.json",
        "  CROSSCALL_API_URL=… CROSSCALL_API_KEY=… crosscall fees --request-id 0x… --json",
      ].join("\n"),
    )
    .action(lazily(async () => (await import("./fees/runFees.ts")).runFees));
}
