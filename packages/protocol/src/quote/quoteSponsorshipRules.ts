import { parseAmount } from "../encoding/amounts.ts";
import { parseProblems, problemIf, type QuoteProblem } from "./quoteProblem.ts";
import type { QuoteRequest } from "./quoteRequest.ts";

/** Rules for the fields that determine who pays the fees. */
export type SponsorshipRequest = Pick<
  QuoteRequest,
  "subsidizeFees" | "sponsoredFeeComponents" | "maxSubsidizationAmount" | "useDepositAddress"
>;

/** Returns the sponsorship rules that a request breaks (spec 2, section 9.3). */
export function sponsorshipProblems({
  subsidizeFees,
  sponsoredFeeComponents,
  maxSubsidizationAmount,
  useDepositAddress,
}: SponsorshipRequest): QuoteProblem[] {
  const components = sponsoredFeeComponents ?? [];
  const isChosen = sponsoredFeeComponents !== undefined;
  const problems = [
    ...problemIf(
      isChosen && useDepositAddress === true,
      "INVALID_REQUEST",
      { sponsoredFeeComponents },
      "deposit addresses do not support this field",
      "Sponsor all fees with subsidizeFees, or omit useDepositAddress.",
    ),
    ...problemIf(
      isChosen && components.length === 0,
      "INVALID_REQUEST",
      { sponsoredFeeComponents },
      "it selects no component",
      "Pass at least one component, or omit the field.",
    ),
    ...problemIf(
      new Set(components).size < components.length,
      "INVALID_REQUEST",
      { sponsoredFeeComponents },
      "it contains a component twice",
      "Name each component once.",
    ),
  ];
  if (maxSubsidizationAmount === undefined) return problems;
  return [
    ...problems,
    ...parseProblems("INVALID_REQUEST", maxSubsidizationAmount, "maxSubsidizationAmount", parseAmount),
    ...problemIf(
      subsidizeFees !== true && !isChosen,
      "INVALID_REQUEST",
      { maxSubsidizationAmount },
      "it limits a sponsorship that was not requested",
      "Set subsidizeFees or sponsoredFeeComponents, or omit the cap.",
    ),
  ];
}
