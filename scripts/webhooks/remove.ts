import { Command } from "commander";

import { OneWebhookSchema } from "../../src/localnet/service/admin/webhookSchemas.ts";
import { addAdminOptions, type AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { toJsonLine } from "../terminal/toJson.ts";

interface RemoveOptions extends AdminOptions {
  readonly json?: boolean;
}

/** `crosscall webhooks remove`: no more events for a key. */
export function removeCommand(): Command {
  return addAdminOptions(
    new Command("remove")
      .description("Send a key's events nowhere, and forget what they were signed with. Open ones stay undelivered.")
      .argument("<keyId>", "the key's id, as `crosscall webhooks show` shows it"),
  )
    .option("--json", "print one JSON object instead of text")
    .addHelpText("after", ["", "Examples:", "  crosscall webhooks remove 3f0a9c2b7d51e846"].join("\n"))
    .action((keyId: string, options: RemoveOptions) => runAdmin((signal) => runRemove(keyId, options, signal)));
}

async function runRemove(
  keyId: string,
  { json = false, ...options }: RemoveOptions,
  signal: AbortSignal,
): Promise<string> {
  const path = `/admin/webhooks/${encodeURIComponent(keyId)}`;
  const { webhook } = await callAdmin(options, { method: "DELETE", path, schema: OneWebhookSchema, signal });
  return json ? toJsonLine({ ok: true, webhook }) : `No more events go to ${webhook.url}.\n`;
}
