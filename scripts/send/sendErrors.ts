import { CrosscallError, type ErrorCode, StageFailedError } from "@crosscall/sdk/internal/core/errors";

/** A transaction that a run sent. */
export interface SentStep {
  readonly stepId: string;
  readonly txHash: string;
}

/** How far a run came. */
export interface SendProgress {
  readonly requestId: string;
  /** What this run sent, or saw under way. */
  readonly sent: readonly SentStep[];
  /** The command that goes on; nothing is paid twice. */
  readonly resume: string;
  /** Why the request was not filled, where that is known. */
  readonly failReason?: string | undefined;
}

/** The user stopped a run: what it sent stays sent. */
export class SendStoppedError extends CrosscallError {
  readonly code = "ABORTED";
  readonly requestId: string;
  /** What this run sent, or saw under way. */
  readonly sent: readonly SentStep[];
  /** The command that goes on; nothing is paid twice. */
  readonly resume: string;

  constructor(parameters: SendProgress & { cause: unknown }) {
    const { requestId, sent, resume, cause } = parameters;
    super({
      message: `request ${requestId} was not followed to its end`,
      hint: `Run this with the same endpoints and key to go on; nothing is paid twice: ${resume}`,
      cause,
    });
    this.requestId = requestId;
    this.sent = sent;
    this.resume = resume;
  }
}

/** A run failed after something was sent: the failure as it is, and how far the run came. */
export class SendFailedError extends CrosscallError {
  readonly code: ErrorCode;
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(failure: unknown, { requestId, sent, resume, failReason }: SendProgress) {
    const error = failure instanceof CrosscallError ? failure : new StageFailedError({ stage: "send", cause: failure });
    super({ message: error.message, hint: error.hint, cause: error.cause });
    this.code = error.code;
    this.name = error.name;
    this.#fields = { ...error.toJSON(), requestId, sent, resume, ...(failReason === undefined ? {} : { failReason }) };
  }

  override toJSON(): Record<string, unknown> {
    return { ...this.#fields };
  }
}
