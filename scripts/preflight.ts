import type { Command } from "./options/command.ts";
import { rpcUrlOption } from "./options/rpcUrls.ts";
import { trustOption } from "./options/trust.ts";

export function definePreflight(command: Command): Command {
  return command
    .argument("<quote.json>", "quote from `crosscall quote --out`")
    .addOption(rpcUrlOption())
    .addOption(trustOption())
    .option("--json", "print one JSON object instead of progress and text")
    .examples([
      "crosscall preflight quote.json --rpc-url 8453=https://…",
      "crosscall preflight quote.json --rpc-url http://127.0.0.1:8545 --json",
    ])
    .lazyAction(async () => (await import("./preflight/runPreflight.ts")).runPreflight);
}
