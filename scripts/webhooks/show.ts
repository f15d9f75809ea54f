import { WebhookListSchema } from "../../src/service/admin/webhookSchemas.ts";
import type { AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { toJsonLine } from "../terminal/toJson.ts";
import { toWebhookLine } from "./describeWebhook.ts";

interface ShowOptions extends AdminOptions {
  readonly json?: boolean;
}

export function runShow(options: ShowOptions): Promise<void> {
  return runAdmin((signal) => showWebhooks(options, signal));
}

async function showWebhooks({ json = false, ...options }: ShowOptions, signal: AbortSignal): Promise<string> {
  const { webhooks } = await callAdmin(options, {
    method: "GET",
    path: "/admin/webhooks",
    schema: WebhookListSchema,
    signal,
  });
  if (json) return toJsonLine({ ok: true, webhooks });
  return webhooks.length === 0 ? "There are no webhooks.\n" : webhooks.map(toWebhookLine).join("");
}
