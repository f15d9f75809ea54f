import { InvalidArgumentError } from "commander";

import type { Command } from "../../options/command.ts";
import {
  parseInteger,
  parsePositive,
  quoteVersionOption,
  rpcUrlOption,
  addServiceOptions,
  trustOption,
} from "../../options/commonOptions.ts";

export function defineSend(command: Command): Command {
  return addServiceOptions(
    command.argument("<quote.json>", "quote from `crosscall quote --out`").addOption(rpcUrlOption()),
  )
    .option("--key-file <file>", "file with the private key (default: the key in CROSSCALL_PRIVATE_KEY)")
    .option("--journal <folder>", "journal of started payments (default: .crosscall/journal next to the quote)")
    .option("--max-age <seconds>", "request a new quote if the quote is older (default: 30)", parseInteger)
    .addOption(quoteVersionOption())
    .option(
      "--tolerance-bps <bps>",
      "maximum loss of the new quote compared with the old one, 0 to 10000 bps (default: 0)",
      parseBps,
    )
    .addOption(trustOption())
    .option("--trust-service", "sign all steps from the service without verification")
    .option("--gasless", "sign one batch, for which the service pays the gas; needs an API key")
    .option(
      "--timeout <minutes>",
      "time to wait for a block, or for the outcome, before the command stops (default: 10)",
      parsePositive,
    )
    .option("--pay-again", "pay even if an earlier payment may still go through, so that you could pay twice")
    .option("--dry-run", "print the transactions and check funds without sending; needs no key")
    .option("--yes", "send without confirmation")
    .option("--json", "print one JSON object instead of progress and summary")
    .examples([
      "crosscall send quote.json --rpc-url 8453=https://… --dry-run",
      "CROSSCALL_PRIVATE_KEY=… crosscall send quote.json --rpc-url 8453=https://… --tolerance-bps 50 --yes",
      "crosscall send quote.json --rpc-url 8453=https://… --rpc-url 10=https://…  # also confirms the fill on chain 10",
      "crosscall send quote.json --rpc-url http://127.0.0.1:8545 --key-file key.txt --json --yes",
    ])
    .lazyAction(async () => (await import("./run.ts")).runSend);
}

function parseBps(text: string): number {
  const bps = parseInteger(text);
  // Above 100%, any quote would pass.
  if (bps >= 0 && bps <= 10_000) return bps;
  throw new InvalidArgumentError("Use a number from 0 to 10000.");
}
