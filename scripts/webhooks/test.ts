import { Command } from "commander";

import { WebhookTestSchema } from "../../src/localnet/service/admin/webhookSchemas.ts";
import { addAdminOptions, type AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { toJsonLine } from "../terminal/toJson.ts";

interface TestOptions extends AdminOptions {
  readonly json?: boolean;
}

/** `crosscall webhooks test`: one made-up event, sent now. */
export function testCommand(): Command {
  return addAdminOptions(
    new Command("test")
      .description("Send a made-up event once. Exits with 1 where it was not taken.")
      .argument("<keyId>", "the key's id, as `crosscall webhooks show` shows it"),
  )
    .option("--json", "print one JSON object instead of text; `ok` is false where it exits with 1")
    .addHelpText("after", ["", "Examples:", "  crosscall webhooks test 3f0a9c2b7d51e846"].join("\n"))
    .action((keyId: string, options: TestOptions) => runAdmin((signal) => runTest(keyId, options, signal)));
}

async function runTest(keyId: string, { json = false, ...options }: TestOptions, signal: AbortSignal): Promise<string> {
  const path = `/admin/webhooks/${encodeURIComponent(keyId)}/test`;
  const outcome = await callAdmin(options, { method: "POST", path, schema: WebhookTestSchema, signal });
  const { isDelivered, answerStatus, problem } = outcome;
  if (!isDelivered) process.exitCode = 1;
  if (json) return toJsonLine({ ok: isDelivered, ...outcome });
  return isDelivered ? `It was taken with ${answerStatus ?? ""}.\n` : `It was not taken: ${problem ?? ""}.\n`;
}
