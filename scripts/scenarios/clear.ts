import { requireScenario } from "../../src/scenarios/catalogue.ts";
import { ActiveListSchema } from "../../src/service/admin/scenarios.ts";
import type { AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { toJsonLine } from "../terminal/toJson.ts";
import { describeActive } from "./describeActive.ts";

interface ClearOptions extends AdminOptions {
  readonly json?: boolean;
}

export function runClear(name: string | undefined, options: ClearOptions): Promise<void> {
  return runAdmin((signal) => clearScenarios(name, options, signal));
}

async function clearScenarios(
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
