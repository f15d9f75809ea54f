import { Command } from "commander";

import { type KeyInfo, KeyListSchema } from "../../src/localnet/service/admin/keySchemas.ts";
import { addAdminOptions, type AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { toJsonLine } from "../terminal/toJson.ts";

interface ListOptions extends AdminOptions {
  readonly json?: boolean;
}

/** `crosscall keys list`: all keys, without the keys themselves. */
export function listCommand(): Command {
  return addAdminOptions(new Command("list").description("List the API keys by their ids, revoked ones among them."))
    .option("--json", "print one JSON object instead of text")
    .addHelpText("after", ["", "Examples:", "  crosscall keys list", "  crosscall keys list --json"].join("\n"))
    .action((options: ListOptions) => runAdmin((signal) => runList(options, signal)));
}

async function runList({ json = false, ...options }: ListOptions, signal: AbortSignal): Promise<string> {
  const answer = await callAdmin(options, { method: "GET", path: "/admin/keys", schema: KeyListSchema, signal });
  return json ? toJsonLine({ ok: true, ...answer }) : answer.keys.map(toLine).join("");
}

function toLine({ id, integrator, label, revokedAt, createdAt }: KeyInfo): string {
  const state = revokedAt === null ? `since ${createdAt}` : `revoked ${revokedAt}`;
  return `${id}  ${integrator.padEnd(12)}  ${state.padEnd(32)}  ${label}\n`;
}
