import { Command } from "commander";

import { InvalidInputError } from "../../src/core/errors.ts";
import { requireScenario } from "../../src/localnet/scenarios/catalogue.ts";
import { fromText, parseParameters, schemaOf } from "../../src/localnet/scenarios/parameters.ts";
import { ActiveSchema } from "../../src/localnet/service/admin/scenarios.ts";
import { addAdminOptions, type AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { parsePositive } from "../options/numbers.ts";
import { toJsonLine } from "../terminal/toJson.ts";
import { describeActive } from "./describeActive.ts";

interface SetOptions extends AdminOptions {
  readonly next?: number;
  readonly parameter: readonly string[];
  readonly json?: boolean;
}

/** `crosscall scenarios set`: makes something go wrong on a running network. */
export function setCommand(): Command {
  const command = new Command("set")
    .description("Make something go wrong for the next requests or calls of a running network.")
    .argument("<name>", "the scenario, as `crosscall scenarios` lists it");
  return addAdminOptions(command)
    .option("--next <count>", "for so many (default: all, until it is cleared)", parsePositive)
    .option("--parameter <name=value>", "a parameter; the items of a list by semicolons; repeatable", addText, [])
    .option("--json", "print one JSON object instead of text")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall scenarios set SLIPPAGE --next 3",
        "  crosscall scenarios set delivery --parameter bps=50 --parameter kind=normal --parameter seed=7",
        "  crosscall scenarios set http:503 --parameter probability=0.2 --parameter 'routes=/quote/v2;/requests/v3'",
      ].join("\n"),
    )
    .action((name: string, options: SetOptions) => runAdmin((signal) => runSet(name, options, signal)));
}

async function runSet(name: string, { json = false, ...options }: SetOptions, signal: AbortSignal): Promise<string> {
  const scenario = requireScenario(name, "<name>");
  const schema = schemaOf(scenario.name);
  const parameters = parseParameters(schema, fromText(schema, readPairs(options.parameter)), scenario.name);
  const active = await callAdmin(options, {
    method: "POST",
    path: "/admin/scenarios",
    body: { name: scenario.name, parameters, ...(options.next === undefined ? {} : { next: options.next }) },
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
        cure: "Write it as name=value.",
      });
    }),
  );
}

function addText(text: string, texts: readonly string[]): readonly string[] {
  return [...texts, text];
}
