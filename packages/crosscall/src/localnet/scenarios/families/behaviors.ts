import type { BehaviorName, ScenarioText } from "../scenario.ts";

export const BEHAVIORS: Readonly<Record<BehaviorName, ScenarioText>> = {
  delivery: {
    how: "chain",
    what: "The fill delivers more or less than quoted, but at least the minimum. An exact output stays exact.",
    hint: "Act on the live balance with EXACT_INPUT, and never embed the quoted amount in call data.",
  },
  "slow-fill": {
    how: "chain",
    what: "The solver delays the fill. Until then, the request is pending.",
    hint: "Show the request as pending and keep polling. Each deposit is either filled or refunded.",
  },
  "stale-price": {
    how: "simulated",
    what: "The market fell after the quote. The fill delivers less, or fails with `SLIPPAGE` if the amount is below the minimum.",
    hint: "Execute quotes quickly, and set `slippageTolerance` to suit the pair.",
  },
  stuck: {
    how: "simulated",
    what: "The request stays pending until the scenario is cleared.",
    hint: "Set your own timeout for requests, and show the user the request id.",
  },
};
