import { CrosscallError, InvalidInputError } from "@crosscall/protocol/core";
import { type ServiceErrorBody, serviceErrorStatus } from "@crosscall/protocol/errors";
import type { QuoteProblem } from "@crosscall/protocol/quote";

/** Thrown to reject an HTTP request with this status and body. The service stores nothing. */
export class RejectionError extends CrosscallError {
  readonly code = "REFUSED";
  /** HTTP status of the response. */
  readonly status: number;
  /** Body of the response. */
  readonly body: ServiceErrorBody;

  constructor(parameters: { status: number; body: ServiceErrorBody; hint: string }) {
    super({ message: parameters.body.message, hint: parameters.hint });
    this.status = parameters.status;
    this.body = parameters.body;
  }
}

export function rejectProblem(problem: QuoteProblem): RejectionError {
  const { errorCode, field, hint } = problem;
  const message = toMessage(problem);
  return new RejectionError({
    status: serviceErrorStatus(errorCode),
    body: { message: `${message}. ${hint}`, errorCode, errorData: `${field}: ${problem.reason}`, field, hint },
    hint,
  });
}

/** Describes a problem, without the value if it is null: it can be secret, or the whole body. */
function toMessage(problem: QuoteProblem): string {
  const { field, value, reason } = problem;
  if (value !== null) return new InvalidInputError(problem).message;
  return /^(?:cannot|is|must)\b/u.test(reason) ? `${field} ${reason}` : `${field}: ${reason}`;
}

/** @throws {@link RejectionError} if there is a problem */
export function rejectIf(problem: QuoteProblem | undefined): void {
  if (problem !== undefined) throw rejectProblem(problem);
}

export function rejectUnknown(what: string): RejectionError {
  const hint = "Check the id and the service that issued it.";
  return new RejectionError({ status: 404, body: { message: `${what} does not exist. ${hint}` }, hint });
}

export function rejectField(field: string, value: unknown, reason: string, hint: string): RejectionError {
  return rejectProblem({ errorCode: "INVALID_REQUEST", field, value, reason, hint });
}

/** Rejects a request with plain text, as the live service's balance endpoints do. */
export function rejectPlain(status: number, message: string): RejectionError {
  return new RejectionError({ status, body: { message }, hint: "See the message." });
}
