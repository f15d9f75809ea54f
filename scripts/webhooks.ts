import { Command } from "commander";

import { deliveriesCommand } from "./webhooks/deliveries.ts";
import { removeCommand } from "./webhooks/remove.ts";
import { setCommand } from "./webhooks/set.ts";
import { showCommand } from "./webhooks/show.ts";
import { testCommand } from "./webhooks/test.ts";

/** `crosscall webhooks`: where a running network sends the events of its keys' requests. */
export function webhooksCommand(): Command {
  return new Command("webhooks")
    .description("Set, test and watch the webhooks of a running network's API keys.")
    .addCommand(setCommand())
    .addCommand(showCommand())
    .addCommand(testCommand())
    .addCommand(removeCommand())
    .addCommand(deliveriesCommand());
}
