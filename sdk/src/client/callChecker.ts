import type { CallFinding } from "../calls/check/finding.ts";
import type { CheckCallsParameters } from "../calls/check/parameters.ts";

export type CallChecker = (parameters: CheckCallsParameters) => readonly CallFinding[];
