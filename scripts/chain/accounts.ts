import { Command } from "commander";

import { localAccountList } from "../../src/localnet/accounts.ts";
import { toJsonLine } from "../terminal/toJson.ts";

/** `crosscall chain accounts`: the prefunded accounts of every local network. */
export function accountsCommand(): Command {
  return new Command("accounts")
    .description("List the accounts that every local network prefunds, with their keys. No network is asked.")
    .option("--json", "print one JSON object instead of text")
    .addHelpText(
      "after",
      ["", "Examples:", "  crosscall chain accounts", "  crosscall chain accounts --json"].join("\n"),
    )
    .action(({ json = false }: { json?: boolean }) => {
      process.stdout.write(json ? toJsonLine({ ok: true, accounts: localAccountList }) : toText());
    });
}

function toText(): string {
  const lines = localAccountList.map(({ name, address, privateKey }) => `${name.padEnd(9)}  ${address}  ${privateKey}`);
  return `${lines.join("\n")}\n\nThe keys are public: send nothing of value to these accounts on other chains.\n`;
}
