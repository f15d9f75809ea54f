import { checkCalls } from "./checkCalls.ts";
import type { CallFinding } from "./finding.ts";
import type { CheckCallsParameters } from "./parameters.ts";
import { refuseErrors } from "./refuseErrors.ts";
import type { FindingCode } from "./rules.ts";

/**
 * Throws if `checkCalls` finds an error.
 *
 * @param accepts errors that are taken all the same
 * @returns warnings, notes, and accepted errors
 * @throws {@link CallsRefusedError} with the errors
 */
export function requireSoundCalls(
  parameters: CheckCallsParameters,
  accepts: readonly FindingCode[] = [],
): CallFinding[] {
  const findings = checkCalls(parameters);
  refuseErrors(findings, accepts);
  return findings;
}
