import type { Command } from "../../options/command.ts";
import {
  failOnOption,
  quoteVersionOption,
  addServiceOptions,
  destinationRpcUrlOption,
} from "../../options/commonOptions.ts";
import { addPlanOptions } from "../plan/planOptions.ts";

export function defineQuote(command: Command): Command {
  command.argument("[file]", "plan.json, or a module that exports `plan`; options override it");
  return addServiceOptions(addPlanOptions(command))
    .addOption(destinationRpcUrlOption("JSON-RPC endpoint of the destination chain, for the check"))
    .addOption(failOnOption())
    .addOption(quoteVersionOption())
    .option("--out <file>", "write the quote to this file for `crosscall send`, unless the check fails")
    .option("--json", "print one JSON object instead of progress and text")
    .examples([
      "crosscall quote plan.json --out quote.json",
      "crosscall quote plan.ts --api-url http://127.0.0.1:3000 --amount 2000000 --quote-version v2 --json",
      "crosscall quote --user 0x… --origin-chain 8453 --origin-currency 0x… --destination-chain 10 \\",
      "  --destination-currency 0x… --trade-type EXACT_INPUT --amount 1000000",
    ])
    .lazyAction(async () => (await import("./run.ts")).runQuote);
}
