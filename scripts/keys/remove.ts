import { Command } from "commander";

import { RevokedKeySchema } from "../../src/localnet/service/admin/keySchemas.ts";
import { addAdminOptions, type AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { toJsonLine } from "../terminal/toJson.ts";

interface RemoveOptions extends AdminOptions {
  readonly json?: boolean;
}

/** `crosscall keys remove`: revokes a key. */
export function removeCommand(): Command {
  return addAdminOptions(
    new Command("remove")
      .description("Revoke an API key for good, and forget its webhook. Its requests stay its integrator's.")
      .argument("<id>", "the key's id, as `crosscall keys list` shows it"),
  )
    .option("--json", "print one JSON object instead of text")
    .addHelpText("after", ["", "Examples:", "  crosscall keys remove 3f0a9c2b7d51e846"].join("\n"))
    .action((id: string, options: RemoveOptions) => runAdmin((signal) => runRemove(id, options, signal)));
}

async function runRemove(
  id: string,
  { json = false, ...options }: RemoveOptions,
  signal: AbortSignal,
): Promise<string> {
  const path = `/admin/keys/${encodeURIComponent(id)}`;
  const { key } = await callAdmin(options, { method: "DELETE", path, schema: RevokedKeySchema, signal });
  return json ? toJsonLine({ ok: true, key }) : `${key.id} is revoked.\n`;
}
