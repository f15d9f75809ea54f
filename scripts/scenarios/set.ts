import { compact } from "@crosscall/sdk/internal/core/compact";
import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";
import { requireScenario } from "../../src/scenarios/catalogue.ts";
import { fromText, parseParameters, schemaOf } from "../../src/scenarios/parameters.ts";
import { ActiveSchema } from "../../src/service/admin/scenarios.ts";
import type { AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { toJsonLine } from "../terminal/toJson.ts";
import { describeActive } from "./describeActive.ts";

interface SetOptions extends AdminOptions {
  readonly next?: number;
  readonly parameter: readonly string[];
  readonly json?: boolean;
}

export function runSet(name: string, options: SetOptions): Promise<void> {
  return runAdmin((signal) => setScenario(name, options, signal));
}

async function setScenario(
  name: string,
  { json = false, ...options }: SetOptions,
  signal: AbortSignal,
): Promise<string> {
  const scenario = requireScenario(name, "<name>");
  const schema = schemaOf(scenario.name);
  const parameters = parseParameters(schema, fromText(schema, readPairs(options.parameter)), scenario.name);
  const active = await callAdmin(options, {
    method: "POST",
    path: "/admin/scenarios",
    body: compact({ name: scenario.name, parameters, next: options.next }),
    schema: ActiveSchema,
    signal,
  });
  return json ? toJsonLine({ ok: true, scenario: active }) : describeActive(active);
}

function readPairs(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
      throw new InvalidInputError({
        field: "--parameter",
        value: pair,
        reason: "it has no name and value",
        hint: "Use the form name=value.",
      });
    }),
  );
}
