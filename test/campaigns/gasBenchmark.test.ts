import { readFile } from "node:fs/promises";

import { expect } from "chai";

import type { Bar } from "../../bench/gas/bars.ts";
import { type Cost, measureWay } from "../../bench/gas/measure.ts";
import { type Stage, setUpStage } from "../../bench/gas/stage.ts";
import { WAY_IDS, type Way, type WayId, waysOf } from "../../bench/gas/ways.ts";
import { type FinishedProgram, startProgram } from "../support/programs.ts";

/** JSON output of the benchmark. */
interface Answer {
  readonly ok: boolean;
  readonly ways: readonly Cost[];
  readonly bars: readonly Bar[];
}

const run = (...args: string[]): Promise<FinishedProgram> => startProgram("bench/gas.ts", args).finished;

describe("bench:gas", () => {
  let exitCode: unknown;
  let stderr: string;
  let answer: Answer;

  before(async () => {
    const finished = await run("--json");
    ({ exitCode, stderr } = finished);
    answer = JSON.parse(finished.stdout) as Answer;
  });

  it("measures every approach in every state, and prints one JSON object", () => {
    expect(stderr).to.equal("");
    expect(answer.ways.map(({ id }) => id)).to.deep.equal(WAY_IDS);
    for (const { id, first, steady } of answer.ways) {
      for (const gas of [first, steady]) {
        expect(gas.inner < gas.calls && gas.calls < gas.fill, id).to.equal(true);
        expect(gas.calls <= gas.fresh && gas.fresh < gas.live, id).to.equal(true);
      }
      expect(steady.fill < first.fill, id).to.equal(true);
    }
  });

  it("reports which limits are met, and exits with 1 if a limit is exceeded", () => {
    const steadyOf = (id: WayId) => answer.ways.find((way) => way.id === id)!.steady;
    const [fixedAmount, across, typed, pushed] = (["fixedAmount", "across", "typed", "pushed"] as const).map(steadyOf);
    const limits = {
      typedToFixedAmount: [typed!.fill / fixedAmount!.fill, 1.09],
      pushedToFixedAmount: [pushed!.fill / fixedAmount!.fill, 1.25],
      typedToAcross: [typed!.fill / across!.fill, 0.68],
      pushedToAcross: [pushed!.fill / across!.fill, 0.793],
      typedFresh: [typed!.fresh, 109_700],
      pushedFresh: [pushed!.fresh, 119_000],
      pushedToAcrossFresh: [pushed!.fresh / across!.fresh, 0.79],
      pushedToAcrossLive: [pushed!.live / across!.live, 0.797],
    };
    const bars = answer.bars.map(({ id, measured, atMost }) => [id, [measured, atMost]]);
    expect(Object.fromEntries(bars)).to.deep.equal(limits);
    const missed = answer.bars.filter(({ measured, atMost }) => measured > atMost).map(({ id }) => id);
    expect(answer.bars.filter(({ isMet }) => !isMet).map(({ id }) => id)).to.deep.equal(missed);
    expect([answer.ok, exitCode]).to.deep.equal([missed.length === 0, missed.length === 0 ? 0 : 1]);
  });

  it("meets every limit", () => {
    expect(answer.bars.filter(({ measured, atMost }) => measured > atMost)).to.deep.equal([]);
  });

  it("matches the figures in docs/benchmarks.md", async () => {
    const page = await readFile(new URL("../../docs/benchmarks.md", import.meta.url), "utf8");
    const rows = page.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
    const shown = rows.filter(([, , , , ratio]) => /^\d\.\d{3}$/u.test(ratio ?? "")).map((row) => row.slice(2, 6));
    const measured = (["fill", "fresh", "live"] as const).flatMap((part) => {
      const { fixedAmount, across } = Object.fromEntries(answer.ways.map(({ id, steady }) => [id, steady[part]]));
      return answer.ways.map(({ first, steady }) => [
        first[part].toLocaleString("en-US"),
        steady[part].toLocaleString("en-US"),
        (steady[part] / fixedAmount!).toFixed(3),
        (steady[part] / across!).toFixed(3),
      ]);
    });
    expect(shown).to.deep.equal(measured);
  });

  it("prints its options with --help, and rejects unknown options", async () => {
    const [help, refusal] = await Promise.all([run("--help"), run("--jsn")]);
    expect([help.exitCode, help.stdout.includes("--json")]).to.deep.equal([0, true]);
    expect([refusal.exitCode, refusal.stdout]).to.deep.equal([2, ""]);
  });

  describe("fails for an approach that", () => {
    let stage: Stage;
    let pushed: Way;

    before(async () => {
      stage = await setUpStage();
      pushed = waysOf(stage).find(({ id }) => id === "pushed")!;
    });

    const outcomeOf = (way: Way): Promise<string> =>
      measureWay(stage, way).then(
        () => "measured",
        () => "refused",
      );

    it("does nothing", async () => {
      expect(await outcomeOf({ ...pushed, calls: () => [] })).to.equal("refused");
    });

    it("leaves the tokens in an intermediate contract", async () => {
      const leaving: Way = { ...pushed, calls: (use) => pushed.calls(use).slice(0, 1) };
      expect(await outcomeOf(leaving)).to.equal("refused");
    });

    it("pays out the unit that the intermediate contract must keep", async () => {
      const spending: Way = { ...pushed, calls: () => pushed.calls("first") };
      expect([await outcomeOf(pushed), await outcomeOf(spending)]).to.deep.equal(["measured", "refused"]);
    });

    it("leaves an allowance without reporting it", async () => {
      const typed = waysOf(stage).find(({ id }) => id === "typed")!;
      const { standsFor: _standsFor, ...untold } = typed;
      expect([await outcomeOf(typed), await outcomeOf(untold)]).to.deep.equal(["measured", "refused"]);
    });
  });
});
