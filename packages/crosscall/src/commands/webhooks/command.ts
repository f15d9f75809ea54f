import { InvalidArgumentError, Option } from "commander";

import { addAdminOptions } from "../../admin/adminOptions.ts";
import type { Command } from "../../options/command.ts";
import { parsePositive } from "../../options/commonOptions.ts";

export function defineWebhooks(command: Command): Command {
  addAdminOptions(command.command("set"))
    .description(
      "Set the webhook URL of an API key. Only loopback is allowed, unless the network was started with --allow-webhook-hosts.",
    )
    .argument("<url>", "URL to send the events to")
    .addOption(
      new Option("--api-key <key>", "API key, which also signs the events; prefer the environment variable")
        .env("CROSSCALL_API_KEY")
        .makeOptionMandatory(),
    )
    .option("--header <name=value>", "header to send with every event; repeatable", addHeader, {})
    .option("--json", "print one JSON object instead of text")
    .examples([
      "crosscall webhooks set http://127.0.0.1:4000/webhook --api-key crosscall-local",
      "crosscall webhooks set http://localhost:4000/webhook --header authorization='Bearer token' --json",
    ])
    .lazyAction(async () => (await import("./run.ts")).runSet);

  addAdminOptions(command.command("show"))
    .description("List webhooks by key id, with the names of their headers.")
    .option("--json", "print one JSON object instead of text")
    .examples(["crosscall webhooks show", "crosscall webhooks show --json"])
    .lazyAction(async () => (await import("./run.ts")).runShow);

  addAdminOptions(command.command("test"))
    .description("Send one test event. Exits with 1 if the endpoint does not accept it.")
    .argument("<keyId>", "key id from `crosscall webhooks show`")
    .option("--json", "print one JSON object instead of text; `ok` is false if the exit code is 1")
    .examples(["crosscall webhooks test 3f0a9c2b7d51e846"])
    .lazyAction(async () => (await import("./run.ts")).runTest);

  addAdminOptions(command.command("remove"))
    .description("Remove the webhook of an API key and its secret. Pending events stay undelivered.")
    .argument("<keyId>", "key id from `crosscall webhooks show`")
    .option("--json", "print one JSON object instead of text")
    .examples(["crosscall webhooks remove 3f0a9c2b7d51e846"])
    .lazyAction(async () => (await import("./run.ts")).runRemove);

  addAdminOptions(command.command("deliveries"))
    .description("List webhook events and their delivery state, newest first.")
    .addOption(
      new Option("--state <state>", "only events in this state").choices(["pending", "delivered", "undelivered"]),
    )
    .option("--request-id <id>", "only events of this request")
    .option("--before <id>", "only events with lower ids, for the next page", parsePositive)
    .option("--limit <count>", "number of events, 1 to 200", parsePositive, 50)
    .option("--json", "print one JSON object with each event's content instead of text")
    .examples([
      "crosscall webhooks deliveries --state undelivered",
      "crosscall webhooks deliveries --request-id 0x… --json",
    ])
    .lazyAction(async () => (await import("./run.ts")).runDeliveries);

  return command;
}

function addHeader(text: string, headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Use the form name=value.");
  return { ...headers, [text.slice(0, at)]: text.slice(at + 1) };
}
