import { expect } from "chai";

import type { ReplayReport } from "../../../../../packages/crosscall/src/replay/replayReport.ts";
import { parseReport, toReportJson } from "../../../../../packages/crosscall/src/replay/report/reportJson.ts";
import { refusal } from "../../../../support/rejection.ts";
import { failingReport } from "./fixtures.ts";

describe("toReportJson", () => {
  it("writes amounts as decimal strings and absent values as null", () => {
    const json = toReportJson(failingReport());
    expect(json.version).to.equal(2);
    expect(json.amount).to.equal("990000000");
    expect(json.plan.gas).to.equal("900000");
    expect(json.trace.txIndex).to.equal(null);
    expect(json.envelope?.smallestWorking).to.equal("1000000000");
  });

  it("produces JSON that parses back to the same report", () => {
    for (const report of [failingReport(), succeedingReport()]) {
      const text = JSON.stringify(toReportJson(report));
      expect(parseReport(JSON.parse(text))).to.deep.equal(report);
    }
  });

  it("rejects other JSON, and reports the path", () => {
    const json = toReportJson(failingReport());
    const wrong = [
      { ...json, version: 1 },
      { ...json, amount: 5 },
      { ...json, trace: { ...json.trace, calls: [{}] } },
    ];
    const places = wrong.map((value) => refusal(() => parseReport(value, "the file")));
    expect(places).to.deep.equal([
      { code: "MALFORMED_DATA", what: "the file", path: "version" },
      { code: "MALFORMED_DATA", what: "the file", path: "amount" },
      { code: "MALFORMED_DATA", what: "the file", path: "trace.calls.0" },
    ]);
  });
});

function succeedingReport(): ReplayReport {
  const { plan, ...report } = failingReport();
  const { gas: _gas, ...open } = plan;
  return {
    ...report,
    plan: open,
    verdict: { outcome: "success" },
    original: undefined,
    envelope: undefined,
    source: { kind: "plan", name: "plan.json" },
  };
}
