import { Command } from "commander";

import { requireScenario } from "../../src/localnet/scenarios/catalogue.ts";
import { ActiveListSchema } from "../../src/localnet/service/admin/scenarios.ts";
import { addAdminOptions, type AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { toJsonLine } from "../terminal/toJson.ts";
import { describeActive } from "./describeActive.ts";

interface ClearOptions extends AdminOptions {
  readonly json?: boolean;
}

/** `crosscall scenarios clear`: lets all go well again on a running network. */
export function clearCommand(): Command {
  const command = new Command("clear")
    .description("Clear a scenario of a running network, or all. Requests that `stuck` holds go on.")
    .argument("[name]", "the scenario; all if left out");
  return addAdminOptions(command)
    .option("--json", "print one JSON object instead of text")
    .addHelpText(
      "after",
      ["", "Examples:", "  crosscall scenarios clear", "  crosscall scenarios clear stuck"].join("\n"),
    )
    .action((name: string | undefined, options: ClearOptions) => runAdmin((signal) => runClear(name, options, signal)));
}

async function runClear(
  name: string | undefined,
  { json = false, ...options }: ClearOptions,
  signal: AbortSignal,
): Promise<string> {
  const query = name === undefined ? "" : `?name=${encodeURIComponent(requireScenario(name, "[name]").name)}`;
  const { scenarios } = await callAdmin(options, {
    method: "DELETE",
    path: `/admin/scenarios${query}`,
    schema: ActiveListSchema,
    signal,
  });
  if (json) return toJsonLine({ ok: true, scenarios });
  return scenarios.length === 0 ? "nothing was set\n" : `cleared:\n${scenarios.map(describeActive).join("")}`;
}
