import type { AnswerFaultName, ScenarioText } from "../scenario.ts";

export const ANSWER_FAULTS: Readonly<Record<AnswerFaultName, ScenarioText>> = {
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
    hint: "Set a timeout for every request, and retry after it.",
  },
  "http:truncated": {
    how: "chain",
    what: "The service processes the request and returns half of the JSON.",
    hint: "Treat an invalid JSON body as a missing response, never as an empty one.",
  },
};
