import { shortReason } from "./shortReason.ts";

/**
 * Every code that an error of the kit can carry, with what it means. Codes are stable: programs branch on them, never
 * on message text. `docs/errors.md` lists the same codes.
 */
export const ERROR_CODES = {
  ABORTED: "The caller's AbortSignal fired, or the user pressed Ctrl-C.",
  ATTESTATION_INVALID: "An attestation is not what derives from its question, or too few trusted oracles signed it.",
  ATTESTATION_REFUSED: "The attestation oracle does not attest what it was asked to; its answer says why.",
  BALANCE_UNWRITABLE: "The balance of a token cannot be set on a fork, so that nothing can be delivered there.",
  CALLS_REFUSED: "Calls would lose funds or fail, as the checker finds.",
  CHAIN_ERROR: "A chain's RPC endpoint could not be reached or refused a call.",
  CHAINS_NOT_SERVED: "Fills of a campaign are left, and no worker has an RPC URL of their chains.",
  DATABASE_UNUSABLE: "A database does not answer, refuses the user, is missing or is of a newer version.",
  ENDPOINT_RETIRED: "The service no longer serves this endpoint.",
  FACTORY_MISSING: "A chain has no CREATE2 factory at the address that deployments go through.",
  FOREIGN_CODE: "Other code than the build's stands where a contract belongs.",
  INSUFFICIENT_ALLOWANCE: "A contract may take less of a token than a deposit needs, and no step approves it.",
  INSUFFICIENT_BALANCE: "An account holds less than the steps of a quote need.",
  INSUFFICIENT_FUNDS: "An account cannot pay for the transactions that it is to send.",
  INVALID_CONFIGURATION: "A service's configuration cannot be used; all that is wrong with it is listed.",
  INVALID_INPUT: "An argument, option or field cannot be used as given.",
  INVALID_STATE: "Something that must be there before this step is missing or different.",
  MALFORMED_DATA: "Data from outside does not have the documented shape.",
  NOTHING_TO_REPLAY: "A fill has no calls that a replay could run.",
  PAGING_STUCK: "A listing gives the same pages again and would never end.",
  QUOTE_STALE: "A quote is too old to be executed, and may not be replaced.",
  QUOTE_WORSENED: "A fresh quote is worse than the one to be executed, by more than the tolerance.",
  REFUSED: "The local service refuses a call; its answer says why.",
  REQUEST_NOT_FILLED: "A request ended in failure or refund.",
  REQUEST_NOT_FOUND: "The service lists no request of this id for this key.",
  SERVICE_ERROR: "The service answered with an error.",
  SERVICE_UNREACHABLE: "No answer could be had from the service.",
  STAGE_FAILED: "A stage of a longer run failed; its cause is inside.",
  STATE_UNAVAILABLE: "An RPC endpoint no longer has the state of the block that is to be replayed on.",
  TIMED_OUT: "Something did not happen before its deadline.",
  TRANSACTION_FAILED: "A transaction could not be sent, or it reverted.",
  TRANSACTION_REPLACED: "Another transaction took the nonce of a step's transaction, and does something else.",
  UNSUPPORTED_STEP: "A quote asks for a step that this executor does not perform.",
  USER_REJECTED: "The user declined a transaction or a signature in the wallet.",
  WEBHOOK_REFUSED: "A webhook is not signed by the service for this moment.",
  WRONG_CHAIN: "A wallet or endpoint serves another chain than the one needed.",
} as const;

/** A stable error code of the kit. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** What every error of the kit is built from: what happened, what to do next and, where there is one, the cause. */
export interface ErrorParameters {
  readonly message: string;
  /** What the reader can do about it, as a sentence. */
  readonly hint: string;
  readonly cause?: unknown;
}

/** The root of all errors that the kit throws. */
export abstract class CrosscallError extends Error {
  abstract readonly code: ErrorCode;
  readonly hint: string;

  constructor(parameters: ErrorParameters) {
    super(parameters.message, parameters.cause === undefined ? undefined : { cause: parameters.cause });
    this.hint = parameters.hint;
    this.name = new.target.name;
  }

  /** The error as plain data: code, message, hint and the fields of its class; never a cause or a stack. */
  toJSON(): Record<string, unknown> {
    const { name: _name, cause: _cause, message, code, ...fields } = this;
    return { code, message, ...fields };
  }
}

/** An argument, option or field cannot be used: names the field, the value and the hint. */
export class InvalidInputError extends CrosscallError {
  readonly code = "INVALID_INPUT";
  /** The path of the field, as the caller wrote it: `txs[1].value`. */
  readonly field: string;
  /** What was given, as text; `undefined` where the field is missing. */
  readonly value: string | undefined;
  /** Why it cannot be used, without field and value. */
  readonly reason: string;

  constructor(parameters: { field: string; value: unknown; reason: string; hint: string; cause?: unknown }) {
    const value = parameters.value === undefined ? undefined : describeValue(parameters.value);
    const seen = value === undefined ? "is missing" : `is ${value}`;
    super({ ...parameters, message: `${parameters.field} ${seen}: ${parameters.reason}` });
    this.field = parameters.field;
    this.value = value;
    this.reason = parameters.reason;
  }
}

/** What is known of a call of the service that failed; fields that nobody knows are left out. */
export interface ServiceCallFacts {
  /** Method and path that was called. */
  readonly endpoint: string;
  /** How often the call was sent. */
  readonly tries: number;
  /** The request that the call or the answer names. */
  readonly requestId?: string | undefined;
}

/** Data from outside (an HTTP body, a file, a chain) does not have the documented shape. */
export class MalformedDataError extends CrosscallError {
  readonly code = "MALFORMED_DATA";
  /** What was read: `the answer of POST /quote/v2`. */
  readonly what: string;
  /** JSON path of the first field that is wrong, `""` for the whole. */
  readonly path: string;
  /** Set where the data is an answer of the service; so are `tries` and `requestId`. */
  declare readonly endpoint?: string;
  declare readonly tries?: number;
  declare readonly requestId?: string;

  constructor(parameters: {
    what: string;
    path: string;
    reason: string;
    hint?: string;
    cause?: unknown;
    call?: ServiceCallFacts;
  }) {
    const where = parameters.path === "" ? "" : ` at ${parameters.path}`;
    super({
      ...parameters,
      message: `${parameters.what} is malformed${where}: ${parameters.reason}`,
      hint: parameters.hint ?? "Check that the source speaks this version of the service's interface.",
    });
    this.what = parameters.what;
    this.path = parameters.path;
    assignCall(this, parameters.call);
  }
}

/** A precondition of the step does not hold. */
export class InvalidStateError extends CrosscallError {
  readonly code = "INVALID_STATE";
}

/** The service answered with an error status. */
export class ServiceError extends CrosscallError {
  readonly code = "SERVICE_ERROR";
  /** HTTP status. */
  readonly status: number;
  /** The service's own `errorCode`, where it sent one. */
  readonly errorCode: string | undefined;
  readonly errorData: unknown;
  /** Method and path that was called. */
  readonly endpoint: string;
  /** How often the call was sent; set where the kit sent it. */
  declare readonly tries?: number;
  /** The request that the call or the answer names. */
  declare readonly requestId?: string;
  /** How long the service asked to wait, in milliseconds, where it did. */
  declare readonly retryAfterMs?: number;

  constructor(parameters: {
    status: number;
    errorCode: string | undefined;
    errorData?: unknown;
    endpoint: string;
    message: string;
    hint: string;
    tries?: number;
    requestId?: string | undefined;
    retryAfterMs?: number | undefined;
  }) {
    super(parameters);
    const { endpoint, tries, requestId, retryAfterMs } = parameters;
    this.status = parameters.status;
    this.errorCode = parameters.errorCode;
    this.errorData = parameters.errorData;
    this.endpoint = endpoint;
    assignKnown(this, { tries, requestId, retryAfterMs });
  }
}

/** The service could not be reached at all. */
export class ServiceUnreachableError extends CrosscallError {
  readonly code = "SERVICE_UNREACHABLE";
  readonly endpoint: string;
  /** How often the call was sent; set where the kit sent it. */
  declare readonly tries?: number;
  /** The request that the call names. */
  declare readonly requestId?: string;

  constructor(parameters: { endpoint: string; cause: unknown; tries?: number; requestId?: string | undefined }) {
    super({
      message: `${parameters.endpoint} did not answer`,
      hint: "Check the base URL and that the service is up, then try again.",
      cause: parameters.cause,
    });
    this.endpoint = parameters.endpoint;
    assignKnown(this, { tries: parameters.tries, requestId: parameters.requestId });
  }
}

/** A chain's RPC endpoint could not be used. */
export class ChainError extends CrosscallError {
  readonly code = "CHAIN_ERROR";
  /** Undefined where the endpoint never told which chain it serves. */
  readonly chainId: number | undefined;

  constructor(parameters: ErrorParameters & { chainId: number | undefined }) {
    super(parameters);
    this.chainId = parameters.chainId;
  }
}

/** The wallet or endpoint is on another chain than the one needed. */
export class WrongChainError extends CrosscallError {
  readonly code = "WRONG_CHAIN";
  readonly expectedChainId: number;
  readonly actualChainId: number;

  constructor(parameters: { what: string; expectedChainId: number; actualChainId: number }) {
    super({
      message: `${parameters.what} is on chain ${parameters.actualChainId}, but chain ${parameters.expectedChainId} is needed`,
      hint: `Connect it to chain ${parameters.expectedChainId}.`,
    });
    this.expectedChainId = parameters.expectedChainId;
    this.actualChainId = parameters.actualChainId;
  }
}

/** A transaction could not be sent, or was included and reverted. */
export class TransactionFailedError extends CrosscallError {
  readonly code = "TRANSACTION_FAILED";
  readonly chainId: number;
  /** Set where the transaction was included. */
  readonly txHash: string | undefined;

  constructor(parameters: ErrorParameters & { chainId: number; txHash?: string }) {
    super(parameters);
    this.chainId = parameters.chainId;
    this.txHash = parameters.txHash;
  }
}

/** A quote has a step that this executor does not perform. */
export class UnsupportedStepError extends CrosscallError {
  readonly code = "UNSUPPORTED_STEP";
  readonly stepId: string;
  readonly kind: string;

  constructor(parameters: { stepId: string; kind: string }) {
    super({
      message: `step "${parameters.stepId}" is of kind "${parameters.kind}", which is not supported here`,
      hint: "Perform this step yourself, or ask for a quote without it.",
    });
    this.stepId = parameters.stepId;
    this.kind = parameters.kind;
  }
}

/** A request reached a terminal status other than success. */
export class RequestNotFilledError extends CrosscallError {
  readonly code = "REQUEST_NOT_FILLED";
  readonly requestId: string;
  readonly status: string;
  /** The service's `details` of the outcome: a `failReason` where it told one. */
  readonly details: string | undefined;

  constructor(parameters: { requestId: string; status: string; details: string | undefined }) {
    const reason = parameters.details === undefined ? "" : ` (${parameters.details})`;
    super({
      message: `request ${parameters.requestId} ended in ${parameters.status}${reason}`,
      hint:
        parameters.status === "refund"
          ? "The deposit went back to the refund address; quote again."
          : "Look the request up with GET /requests/v3 for its failReason.",
    });
    this.requestId = parameters.requestId;
    this.status = parameters.status;
    this.details = parameters.details;
  }
}

/** A deadline passed. */
export class TimedOutError extends CrosscallError {
  readonly code = "TIMED_OUT";
  readonly timeoutMs: number;
  /** Set where a call of the service took too long; so are `tries` and `requestId`. */
  declare readonly endpoint?: string;
  declare readonly tries?: number;
  declare readonly requestId?: string;

  constructor(parameters: { what: string; timeoutMs: number; hint: string; cause?: unknown; call?: ServiceCallFacts }) {
    super({ ...parameters, message: `${parameters.what} did not end within ${parameters.timeoutMs} ms` });
    this.timeoutMs = parameters.timeoutMs;
    assignCall(this, parameters.call);
  }
}

/** The caller aborted. */
export class AbortedError extends CrosscallError {
  readonly code = "ABORTED";

  constructor(parameters: { what: string; cause?: unknown }) {
    super({
      message: `${parameters.what} was aborted`,
      hint: "Nothing to do: the caller asked for it.",
      cause: parameters.cause,
    });
  }
}

/** A named stage of a longer run failed. */
export class StageFailedError extends CrosscallError {
  readonly code = "STAGE_FAILED";
  readonly stage: string;

  constructor(parameters: { stage: string; cause: unknown }) {
    const { cause, stage } = parameters;
    super({
      message: `${stage}: ${cause instanceof CrosscallError ? cause.message : shortReason(cause)}`,
      hint: cause instanceof CrosscallError ? cause.hint : "Run again with --json for the whole error, and report it.",
      cause,
    });
    this.stage = stage;
  }
}

function assignCall(error: CrosscallError, call: ServiceCallFacts | undefined): void {
  if (call !== undefined) assignKnown(error, { endpoint: call.endpoint, tries: call.tries, requestId: call.requestId });
}

/** Sets the fields that have a value: the others are then missing from the error's JSON. */
function assignKnown(error: CrosscallError, fields: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) Object.assign(error, { [name]: value });
  }
}

function describeValue(value: unknown): string {
  // JSON has no word for some numbers, and none for bigint.
  const text = typeof value === "number" || typeof value === "bigint" ? String(value) : toText(value);
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}

function toText(value: unknown): string {
  try {
    // Functions and symbols have no JSON, whatever the signature says.
    const text: unknown = JSON.stringify(value);
    return typeof text === "string" ? text : typeof value;
  } catch {
    return typeof value;
  }
}
