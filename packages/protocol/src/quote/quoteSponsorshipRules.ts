import { parseAmount } from "../encoding/amounts.ts";
import { parseProblems, type QuoteProblem } from "./quoteProblem.ts";
import type { QuoteRequest } from "./quoteRequest.ts";

/** Rules for the fields that determine who pays the fees. */
export type SponsorshipRequest = Pick<
  QuoteRequest,
  "subsidizeFees" | "sponsoredFeeComponents" | "maxSubsidizationAmount" | "useDepositAddress"
>;

/** Returns the sponsorship rules that a request breaks (spec 2, section 9.3). */
export function sponsorshipProblems(request: SponsorshipRequest): QuoteProblem[] {
  const { subsidizeFees, sponsoredFeeComponents: components, maxSubsidizationAmount: cap } = request;
  const problems: QuoteProblem[] = [];
  const field = "sponsoredFeeComponents";
  if (components !== undefined && request.useDepositAddress === true) {
    problems.push({
      errorCode: "INVALID_REQUEST",
      field,
      value: components,
      reason: "deposit addresses do not support this field",
      hint: "Sponsor all fees with subsidizeFees, or omit useDepositAddress.",
    });
  }
  if (components?.length === 0) {
    problems.push({
      errorCode: "INVALID_REQUEST",
      field,
      value: components,
      reason: "it selects no component",
      hint: "Pass at least one component, or omit the field.",
    });
  }
  if (components !== undefined && new Set(components).size < components.length) {
    problems.push({
      errorCode: "INVALID_REQUEST",
      field,
      value: components,
      reason: "it contains a component twice",
      hint: "Name each component once.",
    });
  }
  if (cap !== undefined) {
    problems.push(...parseProblems("INVALID_REQUEST", cap, "maxSubsidizationAmount", parseAmount));
    if (subsidizeFees !== true && components === undefined) {
      problems.push({
        errorCode: "INVALID_REQUEST",
        field: "maxSubsidizationAmount",
        value: cap,
        reason: "it limits a sponsorship that was not requested",
        hint: "Set subsidizeFees or sponsoredFeeComponents, or omit the cap.",
      });
    }
  }
  return problems;
}
