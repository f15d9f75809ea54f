import { compact } from "@crosscall/protocol/core";
import type { ActiveScenario } from "../../localnet/index.ts";
import { requireScenario, SCENARIOS } from "../../localnet/scenarios/catalogue.ts";
import { fromText, parseParameters, schemaOf } from "../../localnet/scenarios/parameters.ts";
import { type Scenario, SCENARIO_FAMILIES, type ScenarioFamily } from "../../localnet/scenarios/scenario.ts";
import { ADMIN_ROUTES } from "../../localnet/service/admin/routes.ts";
import type { AdminOptions } from "../../admin/adminOptions.ts";
import { readPairs } from "../../options/commonOptions.ts";
import { runAdmin } from "../../admin/callAdmin.ts";
import { outputColors, toJsonLine, writeOutput } from "../../terminal/output.ts";

interface ListOptions {
  readonly family?: ScenarioFamily;
  readonly json?: boolean;
}

export function runList({ family, json = false }: ListOptions): void {
  const scenarios = SCENARIOS.filter((scenario) => family === undefined || scenario.family === family);
  writeOutput(json ? toJsonLine({ ok: true, scenarios }) : toText(scenarios));
}

const TITLES: Readonly<Record<ScenarioFamily, string>> = {
  failReason: "Requests that fail: by failReason",
  refundFailReason: "Refunds that fail: by refundFailReason",
  quoteError: "Rejected quotes, by errorCode",
  behavior: "Fills that differ from the quote",
  answer: "Faulty responses from the service",
};

function toText(scenarios: readonly Scenario[]): string {
  const families = SCENARIO_FAMILIES.flatMap((family) => {
    const members = scenarios.filter((scenario) => scenario.family === family);
    return members.length === 0 ? [] : [`${outputColors.bold(TITLES[family])}\n\n${members.map(describe).join("\n")}`];
  });
  return families.join("\n");
}

function describe({ name, how, what, hint, parameters }: Scenario): string {
  const lines = [
    `${outputColors.bold(name)}  (${how})`,
    `  ${what}`,
    `  ${outputColors.green("To do:")} ${hint}`,
    ...parameters.map((parameter) => `  --parameter ${parameter.name}=…  ${parameter.meaning}`),
  ];
  return `${lines.join("\n")}\n`;
}

interface SetOptions extends AdminOptions {
  readonly next?: number;
  readonly parameter: readonly string[];
}

export function runSet(name: string, options: SetOptions): Promise<void> {
  const scenario = requireScenario(name, "<name>");
  const schema = schemaOf(scenario.name);
  const parameters = parseParameters(schema, fromText(schema, readPairs(options.parameter)), scenario.name);
  const body = compact({ name: scenario.name, parameters, next: options.next });
  const toJson = (active: ActiveScenario) => ({ ok: true, scenario: active });
  return runAdmin(options, ADMIN_ROUTES.scenarios.set, { body }, describeActive, toJson);
}

export function runShow(options: AdminOptions): Promise<void> {
  return runAdmin(options, ADMIN_ROUTES.scenarios.list, {}, ({ scenarios }) =>
    scenarios.length === 0 ? "nothing is set\n" : scenarios.map(describeActive).join(""),
  );
}

export function runClear(name: string | undefined, options: AdminOptions): Promise<void> {
  const query = name === undefined ? {} : { name: requireScenario(name, "[name]").name };
  return runAdmin(options, ADMIN_ROUTES.scenarios.clear, { query }, ({ scenarios }) =>
    scenarios.length === 0 ? "nothing was set\n" : `cleared:\n${scenarios.map(describeActive).join("")}`,
  );
}

function describeActive({ name, parameters, next, uses }: ActiveScenario): string {
  const given = Object.entries(parameters)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([parameter, value]) => `${parameter}=${String(value)}`);
  const left = next === null ? "until it is cleared" : `${next} to come`;
  return `${[name, ...given].join(" ")}: ${left}, used ${uses} so far\n`;
}
