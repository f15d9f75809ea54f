import { SCENARIOS } from "../../packages/crosscall/src/localnet/scenarios/catalogue.ts";
import { toFailReasonsPage } from "./failReasons.ts";
import type { Scenario, ScenarioFamily } from "../../packages/crosscall/src/localnet/scenarios/scenario.ts";
import { formatTable, type Generated, withReference } from "./pages.ts";

const TITLES: readonly { readonly family: ScenarioFamily; readonly title: string; readonly text?: string }[] = [
  {
    family: "failReason",
    title: "Failed requests",
    text: "[Why did my fill fail](why-fills-fail.md) has the causes of each reason on the live service.",
  },
  { family: "refundFailReason", title: "Failed refunds" },
  { family: "quoteError", title: "Rejected quotes" },
  { family: "behavior", title: "Fills that differ from the quote" },
  { family: "answer", title: "Faulty responses" },
];

/** Generates the pages of scenarios and of fail reasons. */
export function generate(): Generated {
  return {
    pages: new Map([
      ["docs/scenarios.md", toScenariosPage()],
      ["docs/why-fills-fail.md", toFailReasonsPage()],
    ]),
  };
}

/** Lists every scenario with its parameters. */
function toScenariosPage(): string {
  const sections = TITLES.flatMap(({ family, title, text }) => {
    const rows = SCENARIOS.filter((scenario) => scenario.family === family).map(({ name, how, what, hint }) => [
      `\`${name}\``,
      how,
      what,
      hint,
    ]);
    return [
      `## ${title}`,
      ...(text === undefined ? [] : [text]),
      formatTable(["name", "how", "what happens", "what to do"], rows),
    ];
  });
  return withReference("docs/scenarios.md", [...sections, "## Parameters", toParameters()].join("\n\n"));
}

/** Lists parameters. All response faults have the same parameters. */
function toParameters(): string {
  const rows = SCENARIOS.filter(({ family, name }) => family !== "answer" || name === "http:429").flatMap(
    ({ name, family, parameters }: Scenario) =>
      parameters.map((parameter) => [
        `\`${family === "answer" ? "http:…" : name}\``,
        `\`${parameter.name}\``,
        parameter.meaning,
      ]),
  );
  return formatTable(["scenario", "parameter", "meaning"], rows);
}
