import { CrosscallError, type ErrorCode, StageFailedError } from "@crosscall/sdk/internal/core/errors";

export interface SentStep {
  readonly stepId: string;
  readonly txHash: string;
}

export interface SendProgress {
  readonly requestId: string;
  /** Sent by this run, or found pending. */
  readonly sent: readonly SentStep[];
  /** The command to continue; nothing is paid twice. */
  readonly resume: string;
  /** Why the request was not filled, if known. */
  readonly failReason?: string | undefined;
}

/** What was sent stays sent. */
export class SendStoppedError extends CrosscallError {
  readonly code = "ABORTED";
  readonly requestId: string;
  /** Sent by this run, or found pending. */
  readonly sent: readonly SentStep[];
  /** The command to continue; nothing is paid twice. */
  readonly resume: string;

  constructor(parameters: SendProgress & { cause: unknown }) {
    const { requestId, sent, resume, cause } = parameters;
    super({
      message: `request ${requestId} was not followed to its end`,
      hint: `Run this with the same endpoints and key to continue; nothing is paid twice: ${resume}`,
      cause,
    });
    this.requestId = requestId;
    this.sent = sent;
    this.resume = resume;
  }
}

/** Wraps the original failure. */
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
