import { CrosscallError } from "@crosscall/protocol/core";

/** What a preflight found. */
export interface PreflightFinding {
  /** Stable. */
  readonly code: string;
  readonly severity: "error" | "warning" | "note";
  readonly reason: string;
  readonly hint: string;
}

/** The simulation of the quote fails, or shows effects that you did not request. Nothing was signed. */
export class PreflightFailedError extends CrosscallError {
  readonly code = "PREFLIGHT_FAILED";
  /** The request of the quote. */
  declare readonly requestId: string;
  /** Errors only. */
  declare readonly findings: readonly PreflightFinding[];

  constructor({ requestId, findings }: { readonly requestId: string; readonly findings: readonly PreflightFinding[] }) {
    super(
      {
        message: `the simulation of request ${requestId} fails: ${findings.map(({ code, reason }) => `${code}, ${reason}`).join("; ")}`,
        hint: findings[0]?.hint ?? "Sign nothing of this quote.",
      },
      { requestId, findings },
    );
  }
}
