import { CallsRefusedError } from "./callsRefusedError.ts";
import type { CallFinding } from "./finding.ts";
import type { FindingCode } from "./rules.ts";

/**
 * @param accepts errors to accept
 *
 * @throws {@link CallsRefusedError} with the remaining errors
 */
export function refuseErrors(findings: readonly CallFinding[], accepts: readonly FindingCode[] = []): void {
  const refused = findings.filter(({ code, severity }) => severity === "error" && !accepts.includes(code));
  if (refused.length > 0) throw new CallsRefusedError(refused);
}
