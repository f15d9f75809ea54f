import { localAccountList } from "../../src/devchain/accounts.ts";
import { toJsonLine } from "../terminal/toJson.ts";

export function runAccounts({ json = false }: { json?: boolean }): void {
  process.stdout.write(json ? toJsonLine({ ok: true, accounts: localAccountList }) : toText());
}

function toText(): string {
  const lines = localAccountList.map(({ name, address, privateKey }) => `${name.padEnd(9)}  ${address}  ${privateKey}`);
  return `${lines.join("\n")}\n\nThe keys are public: send nothing of value to these accounts on other chains.\n`;
}
