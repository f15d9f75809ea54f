import { CrosscallError } from "@crosscall/sdk/internal/core/errors";
import type { PreflightFinding } from "./originFinding.ts";

/** A simulation of the steps shows more than was asked for. Nothing was signed. */
export class PreflightFailedError extends CrosscallError {
  readonly code = "PREFLIGHT_FAILED";
  readonly requestId: string;
  readonly findings: readonly PreflightFinding[];

  constructor({ requestId, findings }: { readonly requestId: string; readonly findings: readonly PreflightFinding[] }) {
    super({
      message: `the steps of request ${requestId} fail their simulation: ${findings.map(({ code, reason }) => `${code}, ${reason}`).join("; ")}`,
      hint: "Sign nothing of this quote. Ask for a new one, and report the old one to the service.",
    });
    this.requestId = requestId;
    this.findings = findings;
  }
}
