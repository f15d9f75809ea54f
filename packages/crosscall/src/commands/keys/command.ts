import { InvalidArgumentError } from "commander";

import { addAdminOptions } from "../../admin/adminOptions.ts";
import type { Command } from "../../options/command.ts";
import { parseInteger } from "../../options/commonOptions.ts";

export function defineKeys(command: Command): Command {
  addAdminOptions(command.command("add"))
    .description("Create an API key. It is shown once: the network stores only its hash.")
    .option(
      "--integrator <name>",
      "owner of the key; keys of one integrator see each other's requests (default: local)",
    )
    .option("--label <text>", "description of the key")
    .option("--quote-limit <calls>", "quote requests per minute, or `off` (default: the network's limit)", parseLimit)
    .option("--listing-limit <calls>", "v3 listing requests per minute, or `off`", parseLimit)
    .option("--other-limit <calls>", "other requests per minute, or `off`", parseLimit)
    .option("--sponsor-balance <micros>", "fees that the key may sponsor, in millionths of a US dollar", parseBalance)
    .option("--json", "print one JSON object instead of text")
    .examples([
      "crosscall keys add --label checkout",
      "crosscall keys add --integrator partner --quote-limit 10 --sponsor-balance 5000000 --json",
    ])
    .lazyAction(async () => (await import("./run.ts")).runAdd);

  addAdminOptions(command.command("list"))
    .description("List API keys by id, including revoked keys. The keys themselves are not stored.")
    .option("--json", "print one JSON object instead of text")
    .examples(["crosscall keys list", "crosscall keys list --json"])
    .lazyAction(async () => (await import("./run.ts")).runList);

  addAdminOptions(command.command("remove"))
    .description("Revoke an API key permanently and delete its webhook. Its requests stay with its integrator.")
    .argument("<id>", "key id from `crosscall keys list`")
    .option("--json", "print one JSON object instead of text")
    .examples(["crosscall keys remove 3f0a9c2b7d51e846"])
    .lazyAction(async () => (await import("./run.ts")).runRemove);

  return command;
}

function parseLimit(text: string): number | false {
  if (text === "off") return false;
  const limit = parseInteger(text);
  if (limit >= 0) return limit;
  throw new InvalidArgumentError("Use `off` or a whole number from 0.");
}

function parseBalance(text: string): string {
  if (/^\d{1,30}$/u.test(text)) return text;
  throw new InvalidArgumentError("Use a whole number.");
}
