import { WebhookTestSchema } from "../../src/service/admin/webhookSchemas.ts";
import type { AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { toJsonLine } from "../terminal/toJson.ts";

interface TestOptions extends AdminOptions {
  readonly json?: boolean;
}

export function runTest(keyId: string, options: TestOptions): Promise<void> {
  return runAdmin((signal) => testWebhook(keyId, options, signal));
}

async function testWebhook(
  keyId: string,
  { json = false, ...options }: TestOptions,
  signal: AbortSignal,
): Promise<string> {
  const path = `/admin/webhooks/${encodeURIComponent(keyId)}/test`;
  const outcome = await callAdmin(options, { method: "POST", path, schema: WebhookTestSchema, signal });
  const { isDelivered, answerStatus, problem } = outcome;
  if (!isDelivered) process.exitCode = 1;
  if (json) return toJsonLine({ ok: isDelivered, ...outcome });
  return isDelivered
    ? `The receiver accepted it with status ${answerStatus ?? ""}.\n`
    : `The receiver did not accept it: ${problem ?? ""}.\n`;
}
