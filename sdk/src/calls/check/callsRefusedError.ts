import { CrosscallError } from "../../core/errors.ts";
import type { CallFinding } from "./finding.ts";

/** Calls would lose funds or fail. No quote was requested. */
export class CallsRefusedError extends CrosscallError {
  readonly code = "CALLS_REFUSED";
  /** Only findings that are errors. */
  readonly findings: readonly CallFinding[];

  constructor(findings: readonly CallFinding[]) {
    const [first] = findings;
    const where = first?.index === undefined ? "" : ` of txs[${first.index}]`;
    const more = findings.length > 1 ? `, and ${findings.length - 1} more` : "";
    super({
      message: `the calls were rejected: ${first?.code}${where}: ${first?.reason}${more}`,
      hint: first?.hint ?? "Look at the findings.",
    });
    this.findings = findings;
  }
}
