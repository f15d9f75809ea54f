import { expect } from "chai";

import { readArtifact } from "../../../../packages/crosscall/src/artifacts.ts";
import { encodeFill } from "../../../../packages/crosscall/src/replay/fillPlan.ts";
import { explainFill } from "../../../../packages/crosscall/src/replay/explain/explainFill.ts";
import { prepareTransaction } from "../../../../packages/crosscall/src/replay/prepare/preparedFill.ts";
import { callOf, type FillFork, MINT, openFillFork, SOLVER, TRANSFER, USER } from "../support/fillFork.ts";
import { CALL_FAILURES } from "./callFailures.ts";
import { CONTRACT_FAILURES } from "./contractFailures.ts";
import type { FailureCase } from "./failureCase.ts";
import { PROXIED_TOKEN_FAILURES } from "./proxiedTokenFailures.ts";
import { SCENARIO_FAILURES } from "./scenarioFailures.ts";
import { TOKEN_FAILURES } from "./tokenFailures.ts";

/** ABIs that an integrator provides for its own contracts. */
const abis = ["mocks/Target", "mocks/NativeRefuser"].map((source) => readArtifact(source).abi);

const GROUPS: Readonly<Record<string, readonly FailureCase[]>> = {
  tokens: TOKEN_FAILURES,
  "tokens behind proxies": PROXIED_TOKEN_FAILURES,
  contracts: CONTRACT_FAILURES,
  calls: CALL_FAILURES,
  scenarios: SCENARIO_FAILURES,
};

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
      expect(await explainFill({ prepared, plan, abis })).to.deep.include({
        failReason: "TRANSFER_AMOUNT_EXCEEDS_BALANCE",
        txIndex: 1,
        path: [0, 1],
        condition: { kind: "balance", account: router, needed: 391n, had: 390n, currency: strict },
      });
    }));

  for (const [group, cases] of Object.entries(GROUPS)) {
    describe(group, () => {
      for (const { name, make } of cases) {
        it(`explains ${name}`, () =>
          world.fork.isolate(async () => {
            const { calls, terms, amount = 990n, solverCalls = [], expected } = await make(world);
            const plan = world.plan(calls, terms);
            const planned = await world.run(plan, amount);
            // The solver's own calls are not part of the plan.
            const sent = encodeFill({ ...plan, calls: [...solverCalls, ...calls] }, amount);
            const prepared = solverCalls.length === 0 ? planned : await prepareTransaction(world.fork, sent);
            const verdict = await explainFill({ prepared, plan, abis });
            expect(verdict.outcome).to.equal("failure");
            if (verdict.outcome === "success") return;
            const { hint, outcome: _outcome, ...told } = verdict;
            expect(told).to.deep.equal({ condition: undefined, ...expected });
            expect(hint).to.match(/^[A-Z0].*\.$/u);
          }));
      }
    });
  }
});
