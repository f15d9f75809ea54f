import type { Severity } from "./rule.ts";
import type { FindingCode } from "./rules.ts";

/** A finding of a rule. */
export interface CallFinding {
  /** Stable: programs branch on it. `docs/checks.md` lists all. */
  readonly code: FindingCode;
  readonly severity: Severity;
  /** The entry of `txs`; `undefined` for the request as a whole. */
  readonly index: number | undefined;
  /** What is wrong, with the numbers and addresses. */
  readonly reason: string;
  /** What to do about it. */
  readonly hint: string;
}
