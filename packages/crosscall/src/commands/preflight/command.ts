import { Option } from "commander";

import type { Command } from "../../options/command.ts";
import { rpcUrlOption, trustOption } from "../../options/commonOptions.ts";

export function definePreflight(command: Command): Command {
  return command
    .argument("<quote.json>", "quote from `crosscall quote --out`")
    .option("--request <file>", "quote request as JSON (default: the request in the quote file)")
    .addOption(rpcUrlOption())
    .addOption(trustOption())
    .addOption(
      new Option("--format <format>", "format of the report")
        .choices(["text", "json", "sarif", "html"])
        .default("text"),
    )
    .option("--out <file>", "write the report to this file and text to standard output")
    .addOption(new Option("--json", "print one JSON object instead of progress and text"))
    .examples([
      "crosscall preflight quote.json --rpc-url 8453=https://… --rpc-url 10=https://…",
      "crosscall preflight quote.json --rpc-url 792703809=https://… --rpc-url 10=https://…  # paid on Solana",
      "crosscall preflight quote.json  # with the chains of crosscall up in this folder",
      "crosscall preflight quote.json --rpc-url 8453=https://… --format html --out preflight.html",
    ])
    .lazyAction(async () => (await import("./run.ts")).runPreflight);
}
