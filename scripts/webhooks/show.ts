import { Command } from "commander";

import { WebhookListSchema } from "../../src/localnet/service/admin/webhookSchemas.ts";
import { addAdminOptions, type AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { toJsonLine } from "../terminal/toJson.ts";
import { toWebhookLine } from "./describeWebhook.ts";

interface ShowOptions extends AdminOptions {
  readonly json?: boolean;
}

/** `crosscall webhooks show`: all webhooks, without their secrets. */
export function showCommand(): Command {
  return addAdminOptions(
    new Command("show").description("Show where events go, by key id, with the names of the headers."),
  )
    .option("--json", "print one JSON object instead of text")
    .addHelpText("after", ["", "Examples:", "  crosscall webhooks show", "  crosscall webhooks show --json"].join("\n"))
    .action((options: ShowOptions) => runAdmin((signal) => runShow(options, signal)));
}

async function runShow({ json = false, ...options }: ShowOptions, signal: AbortSignal): Promise<string> {
  const { webhooks } = await callAdmin(options, {
    method: "GET",
    path: "/admin/webhooks",
    schema: WebhookListSchema,
    signal,
  });
  if (json) return toJsonLine({ ok: true, webhooks });
  return webhooks.length === 0 ? "There are no webhooks.\n" : webhooks.map(toWebhookLine).join("");
}
