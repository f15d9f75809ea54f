import type { Severity } from "./rule.ts";
import type { FindingCode } from "./rules.ts";

/** A finding of a rule. */
export interface CallFinding {
  /** Stable. All codes are listed in `docs/checks.md`. */
  readonly code: FindingCode;
  readonly severity: Severity;
  /** Index in `txs`; `undefined` for the request as a whole. */
  readonly index: number | undefined;
  /** The problem, with amounts and addresses. */
  readonly reason: string;
  /** How to fix it. */
  readonly hint: string;
}
