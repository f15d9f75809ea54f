import { CallsRefusedError } from "./callsRefusedError.ts";
import type { CallFinding } from "./finding.ts";
import type { FindingCode } from "./rules.ts";

/**
 * Refuses calls with errors among their findings.
 *
 * @param accepts errors that are taken all the same
 * @throws {@link CallsRefusedError} with the errors
 */
export function refuseErrors(findings: readonly CallFinding[], accepts: readonly FindingCode[] = []): void {
  const refused = findings.filter(({ code, severity }) => severity === "error" && !accepts.includes(code));
  if (refused.length > 0) throw new CallsRefusedError(refused);
}
