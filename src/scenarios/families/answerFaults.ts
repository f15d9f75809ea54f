import type { AnswerFaultName, ScenarioText } from "../scenario.ts";

/** Scenarios that change what the service answers. */
export const ANSWER_FAULTS: Readonly<Record<AnswerFaultName, ScenarioText>> = {
  "http:429": {
    how: "simulated",
    what: "The service answers 429 without a Retry-After.",
    hint: "Wait longer before each new try, and poll a request once a second at most.",
  },
  "http:500": {
    how: "simulated",
    what: "The service answers 500 with UNKNOWN_ERROR.",
    hint: "Try reads again with backoff; look a request up before its deposit is sent again.",
  },
  "http:503": {
    how: "simulated",
    what: "The service answers 503 with SERVICE_UNAVAILABLE.",
    hint: "Try again with backoff.",
  },
  "http:disconnect": {
    how: "chain",
    what: "The connection is cut before anything is answered.",
    hint: "Try reads again with backoff; look a request up before its deposit is sent again.",
  },
  "http:timeout": {
    how: "chain",
    what: "The call is accepted and never answered.",
    hint: "Give every call a time limit, and try again after it.",
  },
  "http:truncated": {
    how: "chain",
    what: "The call is worked off, and half of its JSON is answered.",
    hint: "Treat a body that is no JSON as no answer, and never as an empty one.",
  },
};
