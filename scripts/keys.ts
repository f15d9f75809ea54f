import { Command, InvalidArgumentError } from "commander";

import { addAdminOptions } from "./admin/adminOptions.ts";
import { lazily } from "./options/lazily.ts";
import { parseInteger } from "./options/numbers.ts";

/** `crosscall keys`: the API keys of a running network. */
export function defineKeys(command: Command): Command {
  return command.addCommand(addCommand()).addCommand(listCommand()).addCommand(removeCommand());
}

/** `crosscall keys add`: a new key, shown once. */
function addCommand(): Command {
  return addAdminOptions(new Command("add").description("Make an API key. It is shown now and never again."))
    .option("--integrator <name>", "whose it is; keys of one integrator see each other's requests (default: local)")
    .option("--label <text>", "what it is for")
    .option("--quote-limit <calls>", "quotes a minute, or `off` (default: the network's)", parseLimit)
    .option("--listing-limit <calls>", "calls of the v3 listing a minute, or `off`", parseLimit)
    .option("--other-limit <calls>", "all other calls a minute, or `off`", parseLimit)
    .option("--sponsor-balance <micros>", "let it sponsor fees up to this, in USD micro-units", parseBalance)
    .option("--json", "print one JSON object instead of text")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall keys add --label checkout",
        "  crosscall keys add --integrator partner --quote-limit 10 --sponsor-balance 5000000 --json",
      ].join("\n"),
    )
    .action(lazily(async () => (await import("./keys/add.ts")).runAdd));
}

function parseLimit(text: string): number | false {
  if (text === "off") return false;
  const limit = parseInteger(text);
  if (limit >= 0) return limit;
  throw new InvalidArgumentError("It is neither `off` nor a number from zero on.");
}

function parseBalance(text: string): string {
  if (/^\d{1,30}$/u.test(text)) return text;
  throw new InvalidArgumentError("It is not a whole number.");
}

/** `crosscall keys list`: all keys, without the keys themselves. */
function listCommand(): Command {
  return addAdminOptions(new Command("list").description("List the API keys by their ids, revoked ones among them."))
    .option("--json", "print one JSON object instead of text")
    .addHelpText("after", ["", "Examples:", "  crosscall keys list", "  crosscall keys list --json"].join("\n"))
    .action(lazily(async () => (await import("./keys/list.ts")).runList));
}

/** `crosscall keys remove`: revokes a key. */
function removeCommand(): Command {
  return addAdminOptions(
    new Command("remove")
      .description("Revoke an API key for good, and forget its webhook. Its requests stay its integrator's.")
      .argument("<id>", "the key's id, as `crosscall keys list` shows it"),
  )
    .option("--json", "print one JSON object instead of text")
    .addHelpText("after", ["", "Examples:", "  crosscall keys remove 3f0a9c2b7d51e846"].join("\n"))
    .action(lazily(async () => (await import("./keys/remove.ts")).runRemove));
}
