import { Command, InvalidArgumentError, Option } from "commander";

import { OneWebhookSchema } from "../../src/localnet/service/admin/webhookSchemas.ts";
import { addAdminOptions, type AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { toJsonLine } from "../terminal/toJson.ts";
import { toWebhookLine } from "./describeWebhook.ts";

interface SetOptions extends AdminOptions {
  readonly apiKey: string;
  readonly header: Readonly<Record<string, string>>;
  readonly json?: boolean;
}

/** `crosscall webhooks set`: the endpoint of a key, in place of the one that it has. */
export function setCommand(): Command {
  return addAdminOptions(
    new Command("set")
      .description("Send the events of an API key's requests to a URL, in place of the one before.")
      .argument("<url>", "where events are posted to"),
  )
    .addOption(
      new Option("--api-key <key>", "the key, which also signs the events; better by the variable")
        .env("CROSSCALL_API_KEY")
        .makeOptionMandatory(),
    )
    .option("--header <name=value>", "a header of every event; repeatable", addHeader, {})
    .option("--json", "print one JSON object instead of text")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall webhooks set http://127.0.0.1:4000/webhook --api-key crosscall-local",
        "  crosscall webhooks set http://localhost:4000/webhook --header authorization='Bearer token' --json",
      ].join("\n"),
    )
    .action((url: string, options: SetOptions) => runAdmin((signal) => runSet(url, options, signal)));
}

async function runSet(url: string, { json = false, ...options }: SetOptions, signal: AbortSignal): Promise<string> {
  const { webhook } = await callAdmin(options, {
    method: "PUT",
    path: "/admin/webhooks",
    body: { apiKey: options.apiKey, url, headers: options.header },
    schema: OneWebhookSchema,
    signal,
  });
  return json ? toJsonLine({ ok: true, webhook }) : toWebhookLine(webhook);
}

function addHeader(text: string, headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Write it as name=value.");
  return { ...headers, [text.slice(0, at)]: text.slice(at + 1) };
}
