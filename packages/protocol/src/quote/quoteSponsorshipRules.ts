import { parseAmount } from "../encoding/amounts.ts";
import { parseProblems, type QuoteProblem } from "./quoteProblem.ts";
import type { QuoteRequest } from "./quoteRequest.ts";

/** Fields about who pays the fees. */
export type SponsorshipRequest = Pick<
  QuoteRequest,
  "subsidizeFees" | "sponsoredFeeComponents" | "maxSubsidizationAmount" | "useDepositAddress"
>;

/** Spec 2, section 9.3. */
export function sponsorshipProblems(request: SponsorshipRequest): QuoteProblem[] {
  const { subsidizeFees, sponsoredFeeComponents: components, maxSubsidizationAmount: cap } = request;
  const problems: QuoteProblem[] = [];
  const field = "sponsoredFeeComponents";
  if (components !== undefined && request.useDepositAddress === true) {
    problems.push({
      errorCode: "INVALID_REQUEST",
      field,
      value: components,
      reason: "deposit addresses do not support it",
      hint: "Sponsor all fees with subsidizeFees, or quote without useDepositAddress.",
    });
  }
  if (components?.length === 0) {
    problems.push({
      errorCode: "INVALID_REQUEST",
      field,
      value: components,
      reason: "it selects no component",
      hint: "Name at least one component, or omit it.",
    });
  }
  if (components !== undefined && new Set(components).size < components.length) {
    problems.push({
      errorCode: "INVALID_REQUEST",
      field,
      value: components,
      reason: "it names a component twice",
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
        reason: "it caps a sponsorship that was not requested",
        hint: "Set subsidizeFees or sponsoredFeeComponents, or omit the cap.",
      });
    }
  }
  return problems;
}
