type CreateErrorCode = "ABORTED" | "INSTALL_FAILED" | "INVALID_INPUT" | "INVALID_STATE";

/** Why no project was created, as in the errors of crosscall: a stable code, and what the user can do. */
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
