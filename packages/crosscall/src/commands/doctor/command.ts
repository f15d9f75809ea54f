import type { Command } from "../../options/command.ts";
import { rpcUrlOption, addServiceOptions, trustOption } from "../../options/commonOptions.ts";

export function defineDoctor(command: Command): Command {
  return addServiceOptions(command)
    .addOption(rpcUrlOption())
    .addOption(trustOption())
    .option("--key-file <file>", "file with the private key to check (default: the key in CROSSCALL_PRIVATE_KEY)")
    .option("--strict", "also exit with 1 for warnings, such as a changed address or date of the service")
    .option("--json", "print one JSON object instead of text")
    .examples([
      "crosscall doctor",
      "crosscall doctor --api-url https://… --rpc-url 8453=https://…",
      "crosscall doctor --json",
      "crosscall doctor --api-url https://api.relay.link --strict",
    ])
    .lazyAction(async () => (await import("./run.ts")).runDoctor);
}
