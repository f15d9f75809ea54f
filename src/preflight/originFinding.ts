/** What a simulation of the origin leg can find. Codes are stable. */
export const PREFLIGHT_FINDINGS = {
  ALLOWANCE_LEFT: "An allowance of the user remains that the quote does not explain.",
  DEPOSIT_MISSING: "The depository records no deposit of at least the order's amount for the order.",
  INPUT_EXCEEDED: "More of the input leaves the user than was asked for.",
  OTHER_FUNDS_LEFT: "The user loses another token, or native currency that does not pay the input or gas.",
  OUTPUT_MISSING: "The recipient gains less than the minimum output.",
  TRANSACTION_REVERTED: "A transaction of the steps reverts.",
} as const;

/** A fault of the origin leg. */
export interface PreflightFinding {
  readonly code: keyof typeof PREFLIGHT_FINDINGS;
  readonly reason: string;
}
