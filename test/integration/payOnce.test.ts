import { expect } from "chai";
import fc from "fast-check";

import { SEED } from "../../tools/tests/seed.ts";
import { inputs } from "../support/inputs.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { type LonelyChain, openLonelyChain, openServedChain, type PayingChain } from "./payOnce/payingChain.ts";
import { runScenario, type Verdict } from "./payOnce/runScenario.ts";
import {
  CHAIN_MODELS,
  isPermit,
  knownScenarios,
  type PaymentModel,
  type Scenario,
  scenariosOf,
  SERVED_MODELS,
} from "./payOnce/scenarios.ts";

const API_KEY = "crosscall-local";

/** Per model. Campaigns run 20,000 of them. */
const SCENARIOS = inputs(inputs(1) > 1 ? 50 : 12);

/** Per model. Each needs a quote, and most need a fill. */
const SERVED_SCENARIOS = inputs(4);

/** The JSON of one scenario, to run it alone and print its steps. */
const ONLY = process.env.CROSSCALL_PAY_ONCE;

/** The user takes the payment back, or the wallet never sends it. */
const UNPAID: readonly PaymentModel[] = ["cancels", "sendsNothing"];

describe("executing a quote pays once", () => {
  const network = useNetwork({ apiKeys: [API_KEY], sponsoringApiKeys: [API_KEY], defaultApiKey: API_KEY });
  let chain: LonelyChain;
  let served: PayingChain;

  before(async () => {
    chain = await openLonelyChain(network);
    served = await openServedChain(network);
  });
  after(() => chain.close());

  /** On a chain of its own, from the same state each time. */
  const runAlone = async (scenario: Scenario): Promise<Verdict> => {
    await chain.reset();
    return runScenario(scenario, { chain });
  };
  /** With the local service and its solver. */
  const runServed = (scenario: Scenario): Promise<Verdict> =>
    runScenario(scenario, { chain: served, service: { url: network.url, apiKey: API_KEY } });

  if (ONLY !== undefined) {
    it("in the given scenario", async () => {
      const scenario = JSON.parse(ONLY) as Scenario;
      const isServed = isPermit(scenario.model) || process.env.CROSSCALL_PAY_ONCE_SERVED === "1";
      const verdict = await (isServed ? runServed : runAlone)(scenario);
      console.log(verdict.steps.join("\n"));
      requireKept(scenario, verdict, isServed);
    });
    return;
  }

  for (const [index, model] of CHAIN_MODELS.entries()) {
    it(`with ${model}`, async () => {
      let paid = 0;
      await fc.assert(
        fc.asyncProperty(scenariosOf(model, false), async (scenario) => {
          const verdict = await runAlone(scenario);
          requireKept(scenario, verdict, false);
          paid += verdict.payments;
        }),
        {
          numRuns: SCENARIOS,
          examples: knownScenarios(model).map((scenario) => [scenario]),
          seed: SEED + index,
          endOnFailure: true,
        },
      );
      // Scenarios that never pay would prove nothing.
      expect(paid > 0).to.equal(!UNPAID.includes(model));
    });
  }

  describe("through the local service", () => {
    for (const [index, model] of SERVED_MODELS.entries()) {
      it(`with ${model}`, () =>
        fc.assert(
          fc.asyncProperty(scenariosOf(model, true), async (scenario) =>
            requireKept(scenario, await runServed(scenario), true),
          ),
          { numRuns: SERVED_SCENARIOS, seed: SEED + index, endOnFailure: true },
        ));
    }
  });
});

/** Throws with all that is needed to run the scenario again. */
function requireKept(scenario: Scenario, { violations, steps }: Verdict, isServed: boolean): void {
  if (violations.length === 0) return;
  const variables = `${isServed ? "CROSSCALL_PAY_ONCE_SERVED=1 " : ""}CROSSCALL_PAY_ONCE='${JSON.stringify(scenario)}'`;
  const lines = [
    ...violations,
    ...steps.map((step) => `  ${step}`),
    "Run it again:",
    `  ${variables} npx hardhat test mocha test/integration/payOnce.test.ts`,
  ];
  throw new Error(lines.join("\n"));
}
