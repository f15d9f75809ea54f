import { CrosscallError, InvalidInputError } from "@crosscall/sdk/internal/core/errors";
import type { QuoteProblem } from "@crosscall/sdk/internal/protocol/quote/quoteProblem";
import { type ServiceErrorBody, serviceErrorStatus } from "@crosscall/sdk/internal/protocol/common/serviceError";

/** The service refuses a call: answered with this status and body, and nothing is stored for it. */
export class RefusalError extends CrosscallError {
  readonly code = "REFUSED";
  readonly status: number;
  readonly body: ServiceErrorBody;

  constructor(parameters: { status: number; body: ServiceErrorBody; hint: string }) {
    super({ message: parameters.body.message, hint: parameters.hint });
    this.status = parameters.status;
    this.body = parameters.body;
  }
}

/** A request body that breaks a rule: the answer names the field, the value and the hint. */
export function refuseProblem(problem: QuoteProblem): RefusalError {
  const { errorCode, field, hint } = problem;
  const { message } = new InvalidInputError(problem);
  return new RefusalError({
    status: serviceErrorStatus(errorCode),
    body: { message: `${message}. ${hint}`, errorCode, errorData: `${field}: ${problem.reason}`, field, hint },
    hint,
  });
}

/** A path names something that is not here. */
export function refuseUnknown(what: string): RefusalError {
  const hint = "Check the id, and that this service issued it.";
  return new RefusalError({ status: 404, body: { message: `${what} is not known here. ${hint}` }, hint });
}

/** A call lacks the API key that it needs, or its key is not active. */
export function refuseKey(): RefusalError {
  const hint = "Send an active key in the x-api-key header.";
  return new RefusalError({
    status: 401,
    body: { message: `the API key is missing, unknown or revoked. ${hint}`, errorCode: "UNAUTHORIZED" },
    hint,
  });
}

/** Somebody calls more often than allowed (spec 4, section 4). */
export function refuseRate(callsPerMinute: number, seconds: number): RefusalError {
  const hint = `Wait ${seconds} s, or start the network with --limits off.`;
  return new RefusalError({
    status: 429,
    body: { message: `more than ${callsPerMinute} calls a minute. ${hint}` },
    hint,
  });
}

/** A call asks for what belongs to somebody else. */
export function refuseForbidden(field: string, reason: string, hint: string): RefusalError {
  return new RefusalError({
    status: 403,
    body: {
      message: `${field} ${reason}. ${hint}`,
      errorCode: "FORBIDDEN",
      errorData: `${field}: ${reason}`,
      field,
      hint,
    },
    hint,
  });
}
