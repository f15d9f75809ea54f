type CreateErrorCode = "ABORTED" | "INSTALL_FAILED" | "INVALID_INPUT" | "INVALID_STATE";

/** Reason why no project was created, with a stable code and a hint, as in other crosscall errors. */
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
