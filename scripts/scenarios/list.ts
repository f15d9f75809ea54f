import colors from "picocolors";

import { SCENARIOS } from "../../src/scenarios/catalogue.ts";
import { SCENARIO_FAMILIES, type Scenario, type ScenarioFamily } from "../../src/scenarios/scenario.ts";
import { toJsonLine } from "../terminal/toJson.ts";

interface ListOptions {
  readonly family?: ScenarioFamily;
  readonly json?: boolean;
}

export function runList({ family, json = false }: ListOptions): void {
  const scenarios = SCENARIOS.filter((scenario) => family === undefined || scenario.family === family);
  process.stdout.write(json ? toJsonLine({ ok: true, scenarios }) : toText(scenarios));
}

const TITLES: Readonly<Record<ScenarioFamily, string>> = {
  failReason: "Requests that fail: by failReason",
  refundFailReason: "Refunds that fail: by refundFailReason",
  quoteError: "Rejected quotes, by errorCode",
  behaviour: "Fills that are otherwise than quoted",
  answer: "Faulty responses of the service",
};

function toText(scenarios: readonly Scenario[]): string {
  const families = SCENARIO_FAMILIES.flatMap((family) => {
    const members = scenarios.filter((scenario) => scenario.family === family);
    return members.length === 0 ? [] : [`${colors.bold(TITLES[family])}\n\n${members.map(describe).join("\n")}`];
  });
  return families.join("\n");
}

function describe({ name, how, what, hint, parameters }: Scenario): string {
  const lines = [
    `${colors.bold(name)}  (${how})`,
    `  ${what}`,
    `  ${colors.green("To do:")} ${hint}`,
    ...parameters.map((parameter) => `  --parameter ${parameter.name}=…  ${parameter.meaning}`),
  ];
  return `${lines.join("\n")}\n`;
}
