import type { BehaviourName, ScenarioText } from "../scenario.ts";

/** Scenarios that change how a request is handled. */
export const BEHAVIOURS: Readonly<Record<BehaviourName, ScenarioText>> = {
  delivery: {
    how: "chain",
    what: "The fill delivers more or less than quoted, within the minimum; an exact output stays exact.",
    hint: "Act on the live balance with EXACT_INPUT, and never embed the quoted amount in call data.",
  },
  "slow-fill": {
    how: "chain",
    what: "The fill comes this long after the deposit; meanwhile the request is pending.",
    hint: "Show the request as under way, and keep polling: a deposit is either filled or sent back.",
  },
  "stale-price": {
    how: "simulated",
    what: "The market fell since the quote: the fill delivers that much less, and ends in SLIPPAGE where that is below the minimum.",
    hint: "Execute quotes while they are fresh, and give slippageTolerance the room that the pair needs.",
  },
  stuck: {
    how: "simulated",
    what: "The request stays pending until the scenario is cleared.",
    hint: "Watch requests with a time limit of your own, and tell the user the request id.",
  },
};
