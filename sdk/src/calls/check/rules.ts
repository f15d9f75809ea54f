import type { Rule, RuleDescription } from "./rule.ts";
import { allowanceRules } from "./rules/allowances.ts";
import { approvalRules } from "./rules/approvals.ts";
import { cleanupRules } from "./rules/cleanups.ts";
import { deliveredAmountRules } from "./rules/deliveredAmounts.ts";
import { formRules } from "./rules/form.ts";
import { minimumRules } from "./rules/minimums.ts";
import { programRules } from "./rules/programs.ts";
import { publicAccountRules } from "./rules/publicAccounts.ts";
import { recipientRules } from "./rules/recipients.ts";
import { requestRules } from "./rules/request.ts";
import { routerRules } from "./rules/router.ts";
import { spenderRules, targetRules } from "./rules/targets.ts";

// A function, since bundlers keep top-level spreads.
const joinRules = () =>
  ({
    ...requestRules,
    ...formRules,
    ...approvalRules,
    ...spenderRules,
    ...allowanceRules,
    ...deliveredAmountRules,
    ...cleanupRules,
    ...minimumRules,
    ...recipientRules,
    ...publicAccountRules,
    ...targetRules,
    ...routerRules,
    ...programRules,
  }) as const;

const rules = /* @__PURE__ */ joinRules();

/** Code of a rule. Codes are stable. */
export type FindingCode = keyof typeof rules;

export const RULES: Readonly<Record<FindingCode, Rule>> = rules;

/** The rules of the checker, by code. `docs/checks.md` lists the same codes. */
export const CALL_RULES: Readonly<Record<FindingCode, RuleDescription>> = rules;
