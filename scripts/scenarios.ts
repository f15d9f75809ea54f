import { Command } from "commander";

import { clearCommand } from "./scenarios/clear.ts";
import { listCommand } from "./scenarios/list.ts";
import { setCommand } from "./scenarios/set.ts";
import { showCommand } from "./scenarios/show.ts";

/** `crosscall scenarios`: what can be made to go wrong, and what goes wrong on a running network. */
export function scenariosCommand(): Command {
  return new Command("scenarios")
    .description("List what can be made to go wrong; set, show and clear it on a running network.")
    .addCommand(listCommand(), { isDefault: true })
    .addCommand(setCommand())
    .addCommand(showCommand())
    .addCommand(clearCommand());
}
