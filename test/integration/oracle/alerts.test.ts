import { readFile } from "node:fs/promises";

import { expect } from "chai";
import { parse } from "yaml";

import type { Oracle } from "../../../src/oracle/startOracle.ts";
import { startFamilyOracle } from "./support/familyOracle.ts";

const ROOT = new URL("../../../", import.meta.url);
const METRIC = /\b(?:oracle|nodejs|process)_[a-z0-9_]+/gu;

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

describe("the alert rules of the oracle", () => {
  let oracle: Oracle;
  let rules: readonly Rule[];

  before(async () => {
    const chain = { id: "local", vmType: "ethereum-vm", httpRpcUrl: "http://127.0.0.1:1" } as const;
    oracle = await startFamilyOracle({ chain });
    const file = parse(await readFile(new URL("docker/oracle/alerts.yml", ROOT), "utf8")) as {
      readonly groups: readonly { readonly rules: readonly Rule[] }[];
    };
    rules = file.groups.flatMap((group) => group.rules);
  });
  after(() => oracle.close());

  it("use metrics that the oracle has", async () => {
    const text = await (await fetch(`${oracle.url}/metrics`)).text();
    const known = new Set([...text.matchAll(/^# TYPE (?<name>\S+)/gmu)].map(({ groups }) => groups?.name));
    for (const { alert, expr } of rules) {
      const used = (expr.match(METRIC) ?? []).map((name) => name.replace(/_(?:bucket|count|sum)$/u, ""));
      expect(used, alert).not.to.deep.equal([]);
      for (const name of used) expect(known.has(name), `${alert} uses ${name}`).to.equal(true);
    }
  });

  it("name sections of the runbook, and each alert of it has a rule", async () => {
    const page = await readFile(new URL("docs/oracle-runbook.md", ROOT), "utf8");
    const anchorsOf = (text: string): string[] =>
      [...text.matchAll(/^### (.+)$/gmu)].map(([, title = ""]) => `docs/oracle-runbook.md#${toAnchor(title)}`);
    const linked = new Set(rules.map(({ annotations }) => annotations.runbook));
    for (const link of linked) expect(anchorsOf(page)).to.include(link);
    const alerts = page.slice(page.indexOf("## Alerts"), page.indexOf("## Incidents"));
    for (const anchor of anchorsOf(alerts)) expect([...linked]).to.include(anchor);
  });
});

function toAnchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/gu, "")
    .replaceAll(" ", "-");
}
