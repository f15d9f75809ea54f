import { readFile } from "node:fs/promises";

import { expect } from "chai";

import type { MatrixRow } from "../../bench/preflight/confusionMatrix.ts";
import { FALSE_ALARMS } from "../../bench/preflight/falseAlarms.ts";
import type { MatrixCounts } from "../../bench/preflight/report.ts";
import { SCENARIOS } from "../../packages/crosscall/src/localnet/scenarios/catalogue.ts";
import { startProgram } from "../support/programs.ts";

/** JSON output of the script. */
interface Answer {
  readonly ok: boolean;
  readonly counts: MatrixCounts;
  readonly rows: readonly MatrixRow[];
}

describe("the preflight check of each scenario in the catalog", () => {
  let answer: Answer;

  before(async () => {
    const { stdout, stderr } = await startProgram("bench/preflight.ts", ["--json"]).finished;
    expect(stderr).to.equal("");
    answer = JSON.parse(stdout) as Answer;
  });

  it("covers every scenario that returns a quote", () => {
    const names = SCENARIOS.filter(({ family }) => family !== "quoteError" && family !== "answer").map(
      ({ name }) => name,
    );
    expect(answer.rows.map(({ name }) => name)).to.include.members(names);
  });

  it("passes no request that fails for a reason present before the deposit", () => {
    const wrong = answer.rows.filter(({ judgment }) => judgment === "false pass");
    expect(wrong).to.deep.equal([]);
    const causes = answer.rows.filter(({ judgment }) => judgment === "true alarm").map(({ cause }) => cause);
    expect(causes).to.include.members(["txs", "steps", "chain"]);
  });

  it("raises false alarms only for the listed requests", () => {
    const alarms = answer.rows.filter(({ judgment }) => judgment === "false alarm").map(({ name }) => name);
    expect(alarms.toSorted()).to.deep.equal(Object.keys(FALSE_ALARMS).toSorted());
    expect(answer.ok).to.equal(true);
  });

  it("misses only failures caused after the deposit", () => {
    for (const { name, cause, judgment } of answer.rows) {
      if (cause === "later") expect(judgment, name).to.equal("miss");
      else if (cause !== "none") expect(judgment, name).to.equal("true alarm");
    }
  });

  it("matches the documented counts", async () => {
    const page = await readFile("docs/verifying.md", "utf8");
    const cells =
      /\| preflight passed \| +(\d+) \| +(\d+) \| +(\d+) \|\n\| preflight failed \| +(\d+) \| +(\d+) \|/u.exec(page);
    const { counts } = answer;
    const measured = [
      counts["true pass"],
      counts["false pass"],
      counts.miss,
      counts["false alarm"],
      counts["true alarm"],
    ];
    expect(cells?.slice(1).map(Number)).to.deep.equal(measured);
  });
});
