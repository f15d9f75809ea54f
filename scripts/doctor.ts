import type { Command } from "./options/command.ts";
import { rpcUrlOption } from "./options/rpcUrls.ts";
import { addServiceOptions } from "./options/serviceOptions.ts";
import { trustOption } from "./options/trust.ts";

export function defineDoctor(command: Command): Command {
  return addServiceOptions(command)
    .addOption(rpcUrlOption())
    .addOption(trustOption())
    .option("--json", "print one JSON object instead of text")
    .examples([
      "crosscall doctor",
      "crosscall doctor --api-url https://… --rpc-url 8453=https://…",
      "crosscall doctor --json",
    ])
    .lazyAction(async () => (await import("./doctor/runDoctor.ts")).runDoctor);
}
