import { Command } from "commander";

import { ActiveListSchema } from "../../src/localnet/service/admin/scenarios.ts";
import { addAdminOptions, type AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { toJsonLine } from "../terminal/toJson.ts";
import { describeActive } from "./describeActive.ts";

interface ShowOptions extends AdminOptions {
  readonly json?: boolean;
}

/** `crosscall scenarios show`: what goes wrong on a running network. */
export function showCommand(): Command {
  return addAdminOptions(new Command("show").description("Show the scenarios that are set on a running network."))
    .option("--json", "print one JSON object instead of text")
    .addHelpText("after", ["", "Examples:", "  crosscall scenarios show --json"].join("\n"))
    .action((options: ShowOptions) => runAdmin((signal) => runShow(options, signal)));
}

async function runShow({ json = false, ...options }: ShowOptions, signal: AbortSignal): Promise<string> {
  const { scenarios } = await callAdmin(options, {
    method: "GET",
    path: "/admin/scenarios",
    schema: ActiveListSchema,
    signal,
  });
  if (json) return toJsonLine({ ok: true, scenarios });
  return scenarios.length === 0 ? "nothing is set\n" : scenarios.map(describeActive).join("");
}
