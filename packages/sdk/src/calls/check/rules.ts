import type { Rule, RuleDescription, Severity } from "./rule.ts";
import { allowanceRules, approvalRules } from "./rules/approvals.ts";
import { cleanupRules } from "./rules/cleanups.ts";
import { deliveredAmountRules, minimumRules } from "./rules/amounts.ts";
import { formRules } from "./rules/form.ts";
import { programRules } from "./rules/programs.ts";
import { publicAccountRules, recipientRules } from "./rules/recipients.ts";
import { requestRules, routerRules } from "./rules/request.ts";
import { callerRules, swapRouterRules } from "./rules/swapRouters.ts";
import { spenderRules, targetRules } from "./rules/targets.ts";

// Joins the rules in a function, because bundlers keep top-level spreads.
const joinRules = () =>
  ({
    ...requestRules,
    ...formRules,
    ...approvalRules,
    ...swapRouterRules,
    ...spenderRules,
    ...allowanceRules,
    ...deliveredAmountRules,
    ...cleanupRules,
    ...minimumRules,
    ...recipientRules,
    ...publicAccountRules,
    ...callerRules,
    ...targetRules,
    ...routerRules,
    ...programRules,
  }) as const;

const rules = /* @__PURE__ */ joinRules();

/** Code of a rule. Codes never change. */
export type FindingCode = keyof typeof rules;

export const RULES: Readonly<Record<FindingCode, Rule>> = rules;

/** The rules of the checker, by code. `docs/checks.md` lists the same codes. */
export const CALL_RULES: Readonly<Record<FindingCode, RuleDescription>> = rules;

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
