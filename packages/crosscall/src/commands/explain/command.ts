import type { Command } from "../../options/command.ts";

export function defineExplain(command: Command): Command {
  return command
    .argument("<code>", "code of an error, a failReason, or a finding of the checker, the replay or the verification")
    .option("--json", "print one JSON object instead of text")
    .examples(["crosscall explain INSUFFICIENT_BALANCE", "crosscall explain ALLOWANCE_LEFT --json"])
    .lazyAction(async () => (await import("./explanations.ts")).runExplain);
}
