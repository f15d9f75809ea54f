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

/** Number of scenarios per model. Campaigns run 20,000 scenarios. */
const SCENARIOS = inputs(inputs(1) > 1 ? 50 : 12);

/** Number of scenarios per model. Each scenario needs a quote, and most need a fill. */
const SERVED_SCENARIOS = inputs(4);

/** Single scenario to run, as JSON. Its steps are printed. */
const ONLY = process.env.CROSSCALL_PAY_ONCE;

/** Models in which the user cancels the payment, or the wallet never sends it. */
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

  /** Runs a scenario on its own chain, which always starts in the same state. */
  const runAlone = async (scenario: Scenario): Promise<Verdict> => {
    await chain.reset();
    return runScenario(scenario, { chain });
  };
  /** Runs a scenario with the local service and its solver. */
  const runServed = (scenario: Scenario): Promise<Verdict> =>
    runScenario(scenario, { chain: served, service: { url: network.url, apiKey: API_KEY } });

  if (ONLY !== undefined) {
    it("in the selected scenario", async () => {
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
      // If no scenario led to a payment, the test would prove nothing.
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

/** Throws an error with everything needed to repeat the scenario. */
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
