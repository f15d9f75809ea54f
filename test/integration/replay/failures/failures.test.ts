import { expect } from "chai";

import { isExpected, judge, toText } from "../../../../bench/explanations/report.ts";
import { measureExplanations } from "../../../../bench/explanations/measure.ts";
import { encodeFill } from "../../../../packages/crosscall/src/replay/fillPlan.ts";
import { explainFill } from "../../../../packages/crosscall/src/replay/explain/explainFill.ts";
import { prepareTransaction } from "../../../../packages/crosscall/src/replay/prepare/preparedFill.ts";
import { callOf, type FillFork, MINT, openFillFork, SOLVER, TRANSFER } from "../support/fillFork.ts";
import { USER } from "../support/fillFork.ts";
import { explainCase, FAILURE_GROUPS, OWN_ABIS } from "./failureGroups.ts";

describe("explainFill", () => {
  let world: FillFork;

  before(async () => {
    world = await openFillFork();
  });
  after(() => world.close());

  it("follows the calls before the failed call if another contract calls the router", () =>
    world.fork.isolate(async () => {
      const { deploy, fork, router, send } = world;
      const strict = await deploy("mocks/StrictToken");
      const maker = await deploy("mocks/CallMaker");
      await send(callOf(strict, MINT, router, 990n));
      const plan = world.plan([callOf(strict, TRANSFER, USER, 600n), callOf(strict, TRANSFER, USER, 391n)]);
      const { to, data } = encodeFill(plan, 0n);
      await send(callOf(maker, "function arm(address target, bytes data)", to, data));
      const prepared = await prepareTransaction(fork, { from: SOLVER, to: maker, data: "0x", value: 0n });
      expect(await explainFill({ prepared, plan, abis: OWN_ABIS })).to.deep.include({
        failReason: "TRANSFER_AMOUNT_EXCEEDS_BALANCE",
        txIndex: 1,
        path: [0, 1],
        condition: { kind: "balance", account: router, needed: 391n, had: 390n, currency: strict },
      });
    }));

  for (const [group, cases] of Object.entries(FAILURE_GROUPS)) {
    describe(group, () => {
      for (const failure of cases) {
        it(`explains ${failure.name}`, async () => {
          const { verdict, expected } = await explainCase(world, failure);
          expect(verdict.outcome).to.equal("failure");
          if (verdict.outcome === "success") return;
          const { hint, explanation, outcome: _outcome, ...found } = verdict;
          expect(found).to.deep.equal({ condition: undefined, ...expected });
          expect(hint).to.match(/^[A-Z0].*\.$/u);
          if (failure.says !== undefined) expect(explanation?.cause).to.match(failure.says);
          if (failure.advises !== undefined) expect(hint).to.match(failure.advises);
        });
      }
    });
  }

  it("names the planted cause of at least 95% of the failures, and never another cause with certainty", async () => {
    const rows = await measureExplanations(world);
    expect(rows.length).to.be.greaterThan(1_000);
    expect(rows.filter((row) => judge(row) === "wrong")).to.deep.equal([]);
    for (const part of ["cases", "catalog"] as const) {
      const ofPart = rows.filter((row) => row.part === part);
      expect(isExpected(ofPart), toText(ofPart)).to.equal(true);
    }
  });
});
