import { existsSync } from "node:fs";

import { expect } from "chai";

import { type Costs, halfOf, isFull, overBudget, readCosts, updateCosts } from "../../../../tools/tests/costs.ts";

const COSTS: Costs = { test: { "test/unit/a.test.ts": 5 }, full: { "test/integration/b.test.ts": 1 } };

describe("the table of CPU times", () => {
  it("lists files that exist", () => {
    const { test, full } = readCosts();
    const missing = [...Object.keys(test), ...Object.keys(full)].filter((file) => !existsSync(file));
    expect(missing).to.deep.equal([]);
  });

  it("lists slow files", () => {
    const files = [
      "test/unit/a.test.ts",
      "test/integration/b.test.ts",
      "test/e2e/c.test.ts",
      "test/campaigns/d.test.ts",
    ];
    expect(files.map((file) => isFull(COSTS, file))).to.deep.equal([false, true, true, true]);
  });

  it("splits files into halves that take about the same time", () => {
    const costs: Costs = { test: { a: 30, c: 26, d: 25, e: 21 }, full: {} };
    const files = ["a", "b", "c", "d", "e"];
    expect(halfOf(costs, files, 0)).to.deep.equal(["a", "b", "e"]);
    expect(halfOf(costs, files, 1)).to.deep.equal(["c", "d"]);
  });

  it("reports files that take three times as long as listed, or as a small file", () => {
    const measured = [
      { file: "test/unit/a.test.ts", cpuSeconds: 14 },
      { file: "test/integration/b.test.ts", cpuSeconds: 5 },
      { file: "test/unit/new.test.ts", cpuSeconds: 5 },
    ];
    expect(overBudget(COSTS, measured)).to.deep.equal([]);
    const grown = measured.map(({ file, cpuSeconds }) => ({ file, cpuSeconds: cpuSeconds + 2 }));
    expect(overBudget(COSTS, grown)).to.deep.equal([
      "test/unit/a.test.ts: 16.0 s instead of 5 s",
      "test/integration/b.test.ts: 7.0 s instead of 1 s",
      "test/unit/new.test.ts: 7.0 s instead of 2 s",
    ]);
  });

  it("is updated by a run, but keeps slow files and small files that the run does not include", () => {
    const measured = [
      { file: "test/unit/a.test.ts", cpuSeconds: 1.23 },
      { file: "test/unit/new.test.ts", cpuSeconds: 3.46 },
      { file: "test/integration/b.test.ts", cpuSeconds: 0.5 },
      { file: "test/e2e/c.test.ts", cpuSeconds: 7 },
    ];
    expect(updateCosts(COSTS, measured)).to.deep.equal({
      test: { "test/unit/new.test.ts": 3.5 },
      full: { "test/e2e/c.test.ts": 7, "test/integration/b.test.ts": 0.5 },
    });
  });
});
