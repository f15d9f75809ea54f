import type { ServiceErrorBody } from "@crosscall/protocol/common";
import type { Answer } from "../errors.ts";

/** A frame of a simulated call. */
export interface RevertFrame {
  readonly type: string;
  readonly address?: string;
  /** What is known to be there, such as `router`. */
  readonly contract?: string;
  readonly function?: string;
  readonly selector?: string;
  readonly error?: string;
  readonly revertReason?: string;
  readonly gasUsed?: string;
}

export interface DecodedRevert {
  readonly type: "errorString" | "panic" | "customError" | "unknownCustomError" | "empty";
  readonly label: string;
  readonly message: string;
  readonly selector?: string;
  readonly name?: string;
  readonly args?: Readonly<Record<string, string>>;
  readonly rawArgsHex?: string;
}

export interface RevertDetails {
  readonly topLevel: RevertFrame;
  readonly innermost: RevertFrame;
  /** From the outermost call to the innermost that failed. */
  readonly path: readonly RevertFrame[];
  readonly revert: DecodedRevert;
}

/** Errors of `POST /execute` differ from those of other endpoints. */
export interface ExecuteErrorBody {
  readonly error: string;
  readonly message?: string;
  readonly requestId?: string;
  readonly details?: RevertDetails;
}

/** Rejects a call; nothing is stored. */
export class ExecuteRefusal extends Error {
  readonly status: number;
  readonly body: ExecuteErrorBody;

  constructor(body: ExecuteErrorBody, status = 400) {
    super(body.error);
    this.status = status;
    this.body = body;
  }
}

/** Errors that other parts of the service raise get this endpoint's form. */
export function toExecuteAnswer(
  error: unknown,
  { status, body }: Answer,
): {
  readonly status: number;
  readonly body: ExecuteErrorBody | ServiceErrorBody;
} {
  if (error instanceof ExecuteRefusal) return error;
  // The rate limit has one form for all endpoints.
  if (status === 429) return { status, body };
  return { status, body: { error: status === 401 ? "Unauthorized" : body.message } };
}
