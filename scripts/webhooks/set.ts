import { OneWebhookSchema } from "../../src/service/admin/webhookSchemas.ts";
import type { AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { toJsonLine } from "../terminal/toJson.ts";
import { toWebhookLine } from "./describeWebhook.ts";

interface SetOptions extends AdminOptions {
  readonly apiKey: string;
  readonly header: Readonly<Record<string, string>>;
  readonly json?: boolean;
}

export function runSet(url: string, options: SetOptions): Promise<void> {
  return runAdmin((signal) => setWebhook(url, options, signal));
}

async function setWebhook(url: string, { json = false, ...options }: SetOptions, signal: AbortSignal): Promise<string> {
  const { webhook } = await callAdmin(options, {
    method: "PUT",
    path: "/admin/webhooks",
    body: { apiKey: options.apiKey, url, headers: options.header },
    schema: OneWebhookSchema,
    signal,
  });
  return json ? toJsonLine({ ok: true, webhook }) : toWebhookLine(webhook);
}
