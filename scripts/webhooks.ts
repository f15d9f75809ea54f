import { Command, InvalidArgumentError, Option } from "commander";

import { addAdminOptions } from "./admin/adminOptions.ts";
import { lazily } from "./options/lazily.ts";
import { parsePositive } from "./options/numbers.ts";

/** `crosscall webhooks`: where a running network sends the events of its keys' requests. */
export function defineWebhooks(command: Command): Command {
  return command
    .addCommand(setCommand())
    .addCommand(showCommand())
    .addCommand(testCommand())
    .addCommand(removeCommand())
    .addCommand(deliveriesCommand());
}

/** `crosscall webhooks set`: the endpoint of a key, in place of the one that it has. */
function setCommand(): Command {
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
    .action(lazily(async () => (await import("./webhooks/set.ts")).runSet));
}

function addHeader(text: string, headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Write it as name=value.");
  return { ...headers, [text.slice(0, at)]: text.slice(at + 1) };
}

/** `crosscall webhooks show`: all webhooks, without their secrets. */
function showCommand(): Command {
  return addAdminOptions(
    new Command("show").description("Show where events go, by key id, with the names of the headers."),
  )
    .option("--json", "print one JSON object instead of text")
    .addHelpText("after", ["", "Examples:", "  crosscall webhooks show", "  crosscall webhooks show --json"].join("\n"))
    .action(lazily(async () => (await import("./webhooks/show.ts")).runShow));
}

/** `crosscall webhooks remove`: no more events for a key. */
function removeCommand(): Command {
  return addAdminOptions(
    new Command("remove")
      .description("Send a key's events nowhere, and forget what they were signed with. Open ones stay undelivered.")
      .argument("<keyId>", "the key's id, as `crosscall webhooks show` shows it"),
  )
    .option("--json", "print one JSON object instead of text")
    .addHelpText("after", ["", "Examples:", "  crosscall webhooks remove 3f0a9c2b7d51e846"].join("\n"))
    .action(lazily(async () => (await import("./webhooks/remove.ts")).runRemove));
}

/** `crosscall webhooks test`: one made-up event, sent now. */
function testCommand(): Command {
  return addAdminOptions(
    new Command("test")
      .description("Send a made-up event once. Exits with 1 where it was not taken.")
      .argument("<keyId>", "the key's id, as `crosscall webhooks show` shows it"),
  )
    .option("--json", "print one JSON object instead of text; `ok` is false where it exits with 1")
    .addHelpText("after", ["", "Examples:", "  crosscall webhooks test 3f0a9c2b7d51e846"].join("\n"))
    .action(lazily(async () => (await import("./webhooks/test.ts")).runTest));
}

/** `crosscall webhooks deliveries`: events and what came of them. */
function deliveriesCommand(): Command {
  return addAdminOptions(
    new Command("deliveries").description("List events for webhooks and what came of them, the newest first."),
  )
    .addOption(new Option("--state <state>", "of this state only").choices(["pending", "delivered", "undelivered"]))
    .option("--request-id <id>", "of this request only")
    .option("--before <id>", "those with lower ids: the page after this one", parsePositive)
    .option("--limit <count>", "how many, 1 to 200", parsePositive, 50)
    .option("--json", "print one JSON object with what each event tells instead of text")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall webhooks deliveries --state undelivered",
        "  crosscall webhooks deliveries --request-id 0x… --json",
      ].join("\n"),
    )
    .action(lazily(async () => (await import("./webhooks/deliveries.ts")).runDeliveries));
}
