import type { Severity } from "./rule.ts";
import type { FindingCode } from "./rules.ts";

/** Finding of a rule. */
export interface CallFinding {
  /** Stable code. `docs/checks.md` lists all codes. */
  readonly code: FindingCode;
  readonly severity: Severity;
  /** Index in `txs`; `undefined` if the finding is about the whole request. */
  readonly index: number | undefined;
  /** Description of the problem, with amounts and addresses. */
  readonly reason: string;
  /** Instruction for fixing the problem. */
  readonly hint: string;
}
