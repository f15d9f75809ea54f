import { readArtifact } from "../../../../packages/crosscall/src/artifacts.ts";
import { explainFill } from "../../../../packages/crosscall/src/replay/explain/explainFill.ts";
import { encodeFill } from "../../../../packages/crosscall/src/replay/fillPlan.ts";
import { prepareTransaction } from "../../../../packages/crosscall/src/replay/prepare/preparedFill.ts";
import type { Verdict } from "../../../../packages/crosscall/src/replay/verdict.ts";
import type { FillFork } from "../support/fillFork.ts";
import { CALL_FAILURES } from "./callFailures.ts";
import { CAUSE_FAILURES } from "./causeFailures.ts";
import { CONTRACT_FAILURES } from "./contractFailures.ts";
import type { ExpectedFailure, FailureCase } from "./failureCase.ts";
import { PROXIED_TOKEN_FAILURES } from "./proxiedTokenFailures.ts";
import { SCENARIO_FAILURES } from "./scenarioFailures.ts";
import { TOKEN_FAILURES } from "./tokenFailures.ts";

/** ABIs that an integrator provides for its own contracts. */
export const OWN_ABIS = ["mocks/Target", "mocks/NativeRefuser"].map((source) => readArtifact(source).abi);

export const FAILURE_GROUPS: Readonly<Record<string, readonly FailureCase[]>> = {
  tokens: TOKEN_FAILURES,
  "tokens behind proxies": PROXIED_TOKEN_FAILURES,
  contracts: CONTRACT_FAILURES,
  calls: CALL_FAILURES,
  causes: CAUSE_FAILURES,
  scenarios: SCENARIO_FAILURES,
};

interface ExplainedCase {
  readonly expected: ExpectedFailure;
  readonly verdict: Verdict;
}

/** Runs a failing fill on the fork, and explains it. */
export function explainCase(world: FillFork, { make }: FailureCase): Promise<ExplainedCase> {
  return world.fork.isolate(async () => {
    const { calls, terms, amount = 990n, solverCalls = [], expected } = await make(world);
    const plan = world.plan(calls, terms);
    const planned = await world.run(plan, amount);
    // The solver's own calls are not part of the plan.
    const sent = encodeFill({ ...plan, calls: [...solverCalls, ...calls] }, amount);
    const prepared = solverCalls.length === 0 ? planned : await prepareTransaction(world.fork, sent);
    return { expected, verdict: await explainFill({ prepared, plan, abis: OWN_ABIS }) };
  });
}
