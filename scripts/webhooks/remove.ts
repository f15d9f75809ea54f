import { OneWebhookSchema } from "../../src/service/admin/webhookSchemas.ts";
import type { AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { toJsonLine } from "../terminal/toJson.ts";

interface RemoveOptions extends AdminOptions {
  readonly json?: boolean;
}

export function runRemove(keyId: string, options: RemoveOptions): Promise<void> {
  return runAdmin((signal) => removeWebhook(keyId, options, signal));
}

async function removeWebhook(
  keyId: string,
  { json = false, ...options }: RemoveOptions,
  signal: AbortSignal,
): Promise<string> {
  const path = `/admin/webhooks/${encodeURIComponent(keyId)}`;
  const { webhook } = await callAdmin(options, { method: "DELETE", path, schema: OneWebhookSchema, signal });
  return json ? toJsonLine({ ok: true, webhook }) : `Removed the webhook ${webhook.url}.\n`;
}
