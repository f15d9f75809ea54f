import { ActiveListSchema } from "../../src/service/admin/scenarios.ts";
import type { AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { toJsonLine } from "../terminal/toJson.ts";
import { describeActive } from "./describeActive.ts";

interface ShowOptions extends AdminOptions {
  readonly json?: boolean;
}

export function runShow(options: ShowOptions): Promise<void> {
  return runAdmin((signal) => showScenarios(options, signal));
}

async function showScenarios({ json = false, ...options }: ShowOptions, signal: AbortSignal): Promise<string> {
  const { scenarios } = await callAdmin(options, {
    method: "GET",
    path: "/admin/scenarios",
    schema: ActiveListSchema,
    signal,
  });
  if (json) return toJsonLine({ ok: true, scenarios });
  return scenarios.length === 0 ? "nothing is set\n" : scenarios.map(describeActive).join("");
}
