import { readFileSync } from "node:fs";

import { expect } from "chai";
import { parse } from "yaml";

import { startTestOracle } from "../support/oracleNetwork.ts";

const RUNBOOK = "docs/oracle-runbook.md";
/** Label that Prometheus adds to each target. */
const OF_PROMETHEUS: readonly string[] = ["up"];

interface Alert {
  readonly name: string;
  readonly expr: string;
  readonly runbook: string;
}

interface AlertFile {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly labels: { readonly severity: string };
      readonly annotations: { readonly summary: string; readonly runbook_url: string };
    }[];
  }[];
}

describe("the alerts of the oracle", () => {
  const alerts = readAlerts();
  const runbook = read(RUNBOOK);

  it("use only metrics that a running oracle exposes", async () => {
    const depository = "0x4cd00e387622c35bddb9b4c962c136462338bc31";
    await using oracle = await startTestOracle({ rpcUrl: "http://127.0.0.1:1", contracts: { depository } });
    const text = await (await fetch(`${oracle.url}/metrics`)).text();
    const known = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gmu)].flatMap(([, name = "", type]) =>
      type === "histogram" ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    );
    expect(known).to.include("oracle_request_duration_seconds_count");
    for (const { name, expr } of alerts) {
      const used = metricsOf(expr).filter((metric) => !OF_PROMETHEUS.includes(metric));
      if (name !== "OracleDown") expect(used, name).to.not.deep.equal([]);
      for (const metric of used) expect(known, name).to.include(metric);
    }
  });

  it("each have a section in the runbook", () => {
    const anchors = [...runbook.matchAll(/^## (.+)$/gmu)].map(([, title = ""]) =>
      title
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/gu, "")
        .replaceAll(" ", "-"),
    );
    for (const { name, runbook: link } of alerts) {
      const [page, anchor = ""] = link.split("#");
      expect([page, anchors.includes(anchor)], name).to.deep.equal([RUNBOOK, true]);
      const section = runbook.split(/^## /mu)[anchors.indexOf(anchor) + 1];
      expect(section, name).to.include(`\`${name}\``);
    }
  });

  it("include every alert in the runbook", () => {
    const named = [...runbook.matchAll(/`(Oracle[A-Z]\w+)`/gu)].map(([, name]) => name);
    expect(alerts.map(({ name }) => name)).to.include.members(named);
  });
});

/** A name outside selectors and labels is a metric if no bracket or string follows it. */
function metricsOf(expr: string): readonly string[] {
  const bare = expr
    .replaceAll(/\{[^}]*\}/gu, "")
    .replaceAll(/\[\w+\]/gu, "")
    .replaceAll(/\bby \([^)]*\)/gu, "");
  return [...bare.matchAll(/\b[a-z_]\w*\b(?!\s*\()/gu)]
    .map(([name]) => name)
    .filter((name) => !/^(?:and|or|sum|count)$/u.test(name));
}

function readAlerts(): readonly Alert[] {
  const { groups } = parse(read("docker/oracle/alerts.yml")) as AlertFile;
  return groups.flatMap(({ rules }) =>
    rules.map(({ alert, expr, labels, annotations }) => {
      expect(labels.severity, alert).to.be.oneOf(["critical", "warning"]);
      expect(annotations.summary, alert).to.not.equal("");
      return { name: alert, expr, runbook: annotations.runbook_url };
    }),
  );
}

function read(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
}
