import type { ResponseFaultName, BehaviorName, ScenarioText } from "../scenario.ts";

export const BEHAVIORS: Readonly<Record<BehaviorName, ScenarioText>> = {
  delivery: {
    how: "chain",
    what: "The fill delivers more or less than quoted, but at least the minimum. An exact output stays exact.",
    hint: "With EXACT_INPUT, use the live balance in calls, and never embed the quoted amount in call data.",
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

export const RESPONSE_FAULTS: Readonly<Record<ResponseFaultName, ScenarioText>> = {
  "http:429": {
    how: "simulated",
    what: "The service returns 429 without `Retry-After`.",
    hint: "Increase the delay before each retry, and poll a request at most once per second.",
  },
  "http:500": {
    how: "simulated",
    what: "The service returns 500 with `UNKNOWN_ERROR`.",
    hint: "Retry reads with backoff. Check a request's status before you resend its deposit.",
  },
  "http:503": {
    how: "simulated",
    what: "The service returns 503 with `SERVICE_UNAVAILABLE`.",
    hint: "Retry with backoff.",
  },
  "http:disconnect": {
    how: "chain",
    what: "The connection closes before the response.",
    hint: "Retry reads with backoff. Check a request's status before you resend its deposit.",
  },
  "http:timeout": {
    how: "chain",
    what: "The service accepts the request and never responds.",
    hint: "Set a timeout for every request, and retry when it expires.",
  },
  "http:truncated": {
    how: "chain",
    what: "The service processes the request and returns half of the JSON.",
    hint: "Treat an invalid JSON body as a missing response, never as an empty one.",
  },
};
