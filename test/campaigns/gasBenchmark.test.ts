import { readFile } from "node:fs/promises";

import { expect } from "chai";

import type { Bar, RouterCosts } from "../../bench/gas/bars.ts";
import { measureWay } from "../../bench/gas/measure.ts";
import { figuresOf, formatMeasured } from "../../bench/gas/report.ts";
import { type Stage, setUpStage } from "../../bench/gas/stage.ts";
import { callTo, WAY_IDS, type Way, type WayId, waysOf } from "../../bench/gas/ways.ts";
import { type FinishedProgram, startProgram } from "../support/programs.ts";

/** JSON output of the benchmark. */
interface Answer {
  readonly ok: boolean;
  readonly routers: readonly RouterCosts[];
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

  it("measures every approach with each router, and prints one JSON object", () => {
    expect(stderr).to.equal("");
    expect(answer.routers.map(({ router }) => router)).to.deep.equal(["LocalRouter", "LocalRouter32"]);
    for (const { ways } of answer.routers) {
      expect(ways.map(({ id }) => id)).to.deep.equal(WAY_IDS);
      for (const { id, first, second, hundredth } of ways) {
        for (const gas of [first, second]) expect(gas.inner < gas.fresh && gas.fresh < gas.live, id).to.equal(true);
        expect(second.fill < first.fill && second.fill === hundredth, id).to.equal(true);
      }
    }
  });

  it("reports which limits are met, and exits with 1 if a limit is exceeded", () => {
    const [{ ways }] = answer.routers as [RouterCosts];
    const secondOf = (id: WayId) => ways.find((way) => way.id === id)!.second;
    const limits = {
      typed: [secondOf("typed").fill, 114_500],
      typedToAcross: [secondOf("typed").fill / secondOf("across").fill, 0.82],
      typedFresh: [secondOf("typed").fresh, 111_500],
      program: [secondOf("program").fill, 135_000],
      programToAcross: [secondOf("program").fill / secondOf("across").fill, 0.82],
      programFresh: [secondOf("program").fresh, 122_500],
    };
    const bars = answer.bars.filter(({ router }) => router === "LocalRouter");
    expect(Object.fromEntries(bars.map(({ id, measured, atMost }) => [id, [measured, atMost]]))).to.deep.equal(limits);
    const missed = answer.bars.filter(({ measured, atMost }) => measured > atMost);
    expect(answer.bars.filter(({ isMet }) => !isMet)).to.deep.equal(missed);
    expect([answer.ok, exitCode]).to.deep.equal([missed.length === 0, missed.length === 0 ? 0 : 1]);
  });

  it("matches the limits in docs/benchmarks.md, which states each that is missed", async () => {
    const measuredOf = ({ to, measured, atMost }: Bar): string =>
      formatMeasured({ to, measured }) + (measured > atMost ? ", missed" : "");
    const both = ["LocalRouter", "LocalRouter32"].map((name) => answer.bars.filter(({ router }) => router === name));
    const [first, second] = both as [Bar[], Bar[]];
    const limits = first.map((bar, index) => [measuredOf(bar), measuredOf(second[index]!)]);
    const rows = await readTables();
    const start = rows.findIndex(([, title]) => title === "limit") + 2;
    expect(rows.slice(start, start + limits.length).map((row) => row.slice(3, 5))).to.deep.equal(limits);
  });

  it("matches the figures in docs/benchmarks.md", async () => {
    const shown = (await readTables())
      .filter((row) => row.length === 11 && /^\d\.\d{3}$/u.test(row[5] ?? ""))
      .map((row) => row.slice(2, 10));
    expect(shown).to.deep.equal(answer.routers.flatMap(({ ways }) => ways.map((cost) => figuresOf(cost, ways))));
  });

  it("prints its options with --help, and rejects unknown options", async () => {
    const [help, refusal] = await Promise.all([run("--help"), run("--jsn")]);
    expect([help.exitCode, help.stdout.includes("--json")]).to.deep.equal([0, true]);
    expect([refusal.exitCode, refusal.stdout]).to.deep.equal([2, ""]);
  });

  async function readTables(): Promise<string[][]> {
    const page = await readFile(new URL("../../docs/benchmarks.md", import.meta.url), "utf8");
    return page.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  }

  describe("fails for an approach that", () => {
    let stage: Stage;
    let program: Way;

    before(async () => {
      stage = await setUpStage();
      program = waysOf(stage).find(({ id }) => id === "programWithUnit")!;
    });

    const outcomeOf = (way: Way): Promise<string> =>
      measureWay(stage, way).then(
        () => "measured",
        () => "refused",
      );

    it("does nothing", async () => {
      expect(await outcomeOf({ ...program, calls: () => [] })).to.equal("refused");
    });

    it("leaves the tokens in an intermediate contract", async () => {
      const leaving: Way = { ...program, calls: (use) => program.calls(use).slice(0, 1) };
      expect(await outcomeOf(leaving)).to.equal("refused");
    });

    it("pays out the unit that the intermediate contract must keep", async () => {
      const spending: Way = { ...program, calls: () => program.calls("first") };
      expect([await outcomeOf(program), await outcomeOf(spending)]).to.deep.equal(["measured", "refused"]);
    });

    it("costs more after the second use", async () => {
      const { dollar, vault } = stage.contracts;
      let uses = 0;
      const calls: Way["calls"] = (use) => {
        uses += 1;
        // The first nine are the first and second uses of each scenario.
        return uses > 9
          ? [...program.calls(use), callTo(dollar, dollar.encode("balanceOf", [vault.address]))]
          : program.calls(use);
      };
      expect(await outcomeOf({ ...program, calls })).to.equal("refused");
    });

    it("leaves an allowance without reporting it", async () => {
      const typed = waysOf(stage).find(({ id }) => id === "typed")!;
      const { standsFor: _standsFor, ...undeclared } = typed;
      expect([await outcomeOf(typed), await outcomeOf(undeclared)]).to.deep.equal(["measured", "refused"]);
    });
  });
});
