import { CrosscallError } from "../../src/core/errors.ts";

/** A transaction that a run sent. */
export interface SentStep {
  readonly stepId: string;
  readonly txHash: string;
}

/** The user stopped a run: what it sent stays sent. */
export class SendStoppedError extends CrosscallError {
  readonly code = "ABORTED";
  readonly requestId: string;
  /** What this run sent, or saw under way. */
  readonly sent: readonly SentStep[];

  constructor(parameters: { requestId: string; sent: readonly SentStep[]; resume: string; cause: unknown }) {
    const { requestId, sent, resume, cause } = parameters;
    super({
      message: `request ${requestId} was not followed to its end`,
      cure: `Run this to go on; nothing is paid twice: ${resume}`,
      cause,
    });
    this.requestId = requestId;
    this.sent = sent;
  }
}
