type CreateErrorCode = "ABORTED" | "INSTALL_FAILED" | "INVALID_INPUT" | "INVALID_STATE";

/** The reason that no project was created, like other errors of crosscall: a stable code and a hint. */
export class CreateError extends Error {
  override readonly name = "CreateError";
  readonly code: CreateErrorCode;
  readonly hint: string;

  constructor(code: CreateErrorCode, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
