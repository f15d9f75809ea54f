import { Option } from "commander";

import type { Command } from "../../options/command.ts";
import { failOnOption, destinationRpcUrlOption } from "../../options/commonOptions.ts";

export function defineCheck(command: Command): Command {
  return command
    .argument("<file>", "plan.json, or a module that exports `plan`")
    .addOption(
      destinationRpcUrlOption("JSON-RPC endpoint of the destination chain, to read code, vaults and allowances"),
    )
    .addOption(
      new Option("--format <format>", "format of the report").choices(["text", "json", "sarif"]).default("text"),
    )
    .addOption(failOnOption())
    .option("--out <file>", "write the report to this file and text to standard output")
    .addOption(new Option("--json", "print one JSON object; the report is written to --out only"))
    .examples([
      "crosscall check plan.json --rpc-url http://127.0.0.1:8546",
      "crosscall check plan.ts --fail-on warning --format sarif --out calls.sarif",
    ])
    .lazyAction(async () => (await import("./run.ts")).runCheck);
}
