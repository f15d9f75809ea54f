import type { CallFinding } from "../calls/check/finding.ts";
import type { CheckCallsParameters } from "../calls/check/parameters.ts";

/** Checks calls before they are quoted: `checkCalls` of `crosscall/calls`. */
export type CallChecker = (parameters: CheckCallsParameters) => readonly CallFinding[];
