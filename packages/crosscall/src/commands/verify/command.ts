import { Option } from "commander";

import type { Command } from "../../options/command.ts";
import { parseInteger, trustOption } from "../../options/commonOptions.ts";

export function defineVerify(command: Command): Command {
  return command
    .argument("<quote.json>", "quote from `crosscall quote --out`")
    .option("--request <file>", "quote request as JSON (default: the request in the quote file)")
    .addOption(
      // The option has no environment variable, so that verification is offline outside a network's folder.
      new Option(
        "--rpc-url <[id=]url>",
        "JSON-RPC endpoint of a chain; with endpoints for both chains, warns about accounts that exist on only one of them; also used to read symbols and decimals, for which the network of this folder is the default; repeatable",
      ).argParser<readonly string[] | undefined>((text, others) => [...(others ?? []), text]),
    )
    .addOption(trustOption())
    .option("--minimum-output <amount>", "minimum amount to receive, in the smallest unit")
    .option("--maximum-input <amount>", "maximum amount to pay, in the smallest unit")
    .option("--maximum-impact-bps <bps>", "maximum loss of value, in bps", parseInteger)
    .addOption(
      new Option("--maximum-fee <name=amount>", "maximum amount of a fee, in its smallest unit; repeatable").argParser<
        readonly string[] | undefined
      >((text, others) => [...(others ?? []), text]),
    )
    .addOption(
      new Option("--format <format>", "format of the report").choices(["text", "json", "sarif"]).default("text"),
    )
    .option("--out <file>", "write the report to this file and text to standard output")
    .addOption(new Option("--json", "print one JSON object; the report is written to --out only"))
    .examples([
      "crosscall verify quote.json",
      "crosscall verify quote.json --minimum-output 4900000 --format sarif --out quote.sarif",
      "crosscall verify quote.json --maximum-fee relayer=500000 --maximum-fee app=0",
      "crosscall verify quote.json --trust our-chains.json --json",
      "crosscall verify quote.json --rpc-url 8453=https://… --rpc-url 10=https://…",
    ])
    .lazyAction(async () => (await import("./run.ts")).runVerify);
}
