import { compact } from "./compact.ts";
import { shortReason } from "./printable.ts";

/** Every error code with its meaning. Codes are stable: branch on them, never on message text. `docs/errors/` has a page for each. */
export const ERROR_CODES = {
  ABORTED: "The caller aborted the `AbortSignal`, or the user pressed Ctrl-C.",
  ACCESS_TOKEN_FAILED: "The client's `accessToken` function failed or returned no token.",
  ALLOWANCE_RESET_NEEDED: "A token rejects the approval of a step because an earlier allowance is not zero.",
  ATTESTATION_INVALID: "An attestation does not match its request, or too few trusted oracles signed it.",
  ATTESTATION_REFUSED: "The oracle rejected the attestation request; its response states the reason.",
  BALANCE_UNWRITABLE: "The token's balance cannot be set on a fork, so the delivery cannot be simulated.",
  BUNDLE_FAILED: "A wallet accepted a batch of calls, but some of them failed.",
  CALLS_REFUSED: "The checker found calls that would fail or lose funds.",
  CHAIN_ERROR: "A chain's RPC endpoint is unreachable or rejected a request.",
  CHAINS_NOT_SERVED: "A campaign has fills left on chains for which no worker has an RPC URL.",
  DATABASE_UNUSABLE: "A database does not respond, rejects the user, does not exist, or has a newer schema version.",
  ENDPOINT_RETIRED: "The service has retired this endpoint.",
  FACTORY_MISSING: "The chain has no CREATE2 factory at the expected address.",
  FOREIGN_CODE: "The code at a contract's address differs from the build.",
  GAS_COST_TOO_HIGH: "The gas of the steps costs more than the payment is worth, or the gas price is far above normal.",
  INSUFFICIENT_ALLOWANCE: "The allowance is too low for a deposit, and no step raises it.",
  INSUFFICIENT_BALANCE: "An account's balance is too low for the quote's steps.",
  INSUFFICIENT_FUNDS: "An account cannot pay for the transactions that it must send.",
  INVALID_CONFIGURATION: "A service's configuration is invalid; the error lists every problem.",
  INVALID_INPUT: "An argument, option or field is invalid.",
  INVALID_STATE: "A precondition of this step does not hold.",
  MALFORMED_DATA: "External data does not have the documented shape.",
  NOTHING_TO_REPLAY: "The fill has no calls to replay.",
  PAGING_STUCK: "A listing repeats the same pages and would never end.",
  PAYMENT_UNRESOLVED: "It is unknown whether an earlier payment of the request was made, or can still be made.",
  PREFLIGHT_FAILED: "The simulation of a quote failed, or shows effects that you did not request.",
  QUERY_TOO_EXPENSIVE: "A listing of the local service or a mirror would take too long, or has too many filter groups.",
  QUOTE_REFUSED: "The steps of a quote do something that you did not request, or must be simulated first.",
  QUOTE_STALE: "The quote is too old to execute, and requoting is off.",
  QUOTE_WORSENED: "A new quote is worse than the original by more than the tolerance.",
  REFUSED: "The local service rejected a request; its response states the reason.",
  RELEASE_MISMATCH: "The contracts differ from the release's deployment record of the chain.",
  REQUEST_NOT_FILLED: "The request ended in failure or refund, or the destination chain does not show its success.",
  REQUEST_NOT_FOUND: "The service lists no request with this id for this API key.",
  SERVICE_ERROR: "The service responded with an error.",
  SERVICE_UNREACHABLE: "The service did not respond.",
  STAGE_FAILED: "A stage of a longer run failed; see `cause`.",
  STATE_UNAVAILABLE: "The RPC endpoint no longer has the block's state that the replay needs.",
  TIMED_OUT: "An operation did not finish before its deadline.",
  TRANSACTION_FAILED: "A transaction could not be sent, or it reverted.",
  TRANSACTION_REPLACED: "A different transaction used the nonce of a step's transaction.",
  UNSUPPORTED_STEP: "The quote has a step that `executeSteps` does not support.",
  USER_REJECTED: "The user rejected a transaction or a signature in the wallet.",
  WEBHOOK_REFUSED: "A webhook's signature is invalid or too old.",
  WRONG_CHAIN: "A wallet or endpoint is connected to a different chain.",
} as const;

/** A stable error code. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The problem, a hint, and the underlying error. */
export interface ErrorParameters {
  readonly message: string;
  /** Instruction for fixing the error, in one sentence. */
  readonly hint: string;
  readonly cause?: unknown;
}

/** The base class of every error that crosscall throws. */
export abstract class CrosscallError extends Error {
  abstract readonly code: ErrorCode;
  readonly hint: string;

  /** @param fields additional fields of the class. A `bigint` becomes decimal text, because JSON has none. */
  constructor({ message, hint, cause }: ErrorParameters, fields: object = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.hint = hint;
    this.name = new.target.name;
    for (const [name, value] of Object.entries(fields) as [string, unknown][]) {
      Reflect.set(this, name, typeof value === "bigint" ? String(value) : value);
    }
  }

  /**
   * Path in `node_modules` of the page that describes the code: when it is thrown, its fields, and how to fix it.
   * `crosscall explain` prints it.
   */
  get docs(): string {
    return `@crosscall/protocol/errors/${this.code}.md`;
  }

  /** Returns the code, message, hint and the fields of the class as plain data, without cause and stack. */
  toJSON(): Record<string, unknown> {
    const { name: _name, cause: _cause, message, code, ...fields } = this;
    return { code, message, ...fields };
  }
}

/** An argument, option or field is invalid. */
export class InvalidInputError extends CrosscallError {
  readonly code = "INVALID_INPUT";
  /** Path of the field in the caller's notation, such as `txs[1].value`. */
  declare readonly field: string;
  /** The value as text; `undefined` when the field is missing. */
  declare readonly value: string | undefined;
  /** Why the value is invalid, without the field and the value. */
  declare readonly reason: string;
  /** For an option with an unknown name: the most similar option, if there is one. `value` is then undefined. */
  declare readonly nearest?: string | undefined;
  /** For a signer that changed a transaction beyond what a wallet may add: the changes, in words. */
  declare readonly changes?: readonly string[] | undefined;

  constructor(parameters: { field: string; value: unknown; reason: string; hint: string; cause?: unknown }) {
    const { field, reason } = parameters;
    const value = parameters.value === undefined ? undefined : describeValue(parameters.value);
    // `<amount>` is an argument of a command.
    const name = field.replace(/^<(.+)>$/u, "$1");
    const seen = value === undefined ? name : `${name} ${value}`;
    // A reason about the value continues the sentence: `amount "1.5" is not a whole number`.
    const about = /^(?:it |(?=is ))(.+)$/su.exec(reason)?.[1];
    const message =
      about === undefined ? `${seen}${value === undefined ? " is missing" : ""}: ${reason}` : `${seen} ${about}`;
    super({ ...parameters, message }, { field, value, reason });
  }
}

/** Details of a failed request to the service. */
export interface ServiceCallFacts {
  /** Method and path. */
  readonly endpoint: string;
  /** Number of attempts. */
  readonly tries: number;
  /** The `requestId` in the HTTP request or response. */
  readonly requestId?: string | undefined;
}

/** External data (an HTTP body, a file, chain data) does not have the documented shape. */
export class MalformedDataError extends CrosscallError {
  readonly code = "MALFORMED_DATA";
  /** Name of the data, such as `the response of POST /quote/v2`. */
  declare readonly what: string;
  /** JSON path of the first invalid field; `""` if the whole value is invalid. */
  declare readonly path: string;
  /** Method and path, if the data is a response of the service. */
  declare readonly endpoint?: string;
  /** Number of attempts, if the data is a response of the service. */
  declare readonly tries?: number;
  /** The `requestId` in the HTTP request or response, if known. */
  declare readonly requestId?: string;

  constructor(parameters: {
    what: string;
    path: string;
    reason: string;
    hint?: string;
    cause?: unknown;
    call?: ServiceCallFacts;
  }) {
    const { what, path, reason, call } = parameters;
    const where = path === "" ? "" : ` at ${path}`;
    super(
      {
        hint: "Check that the source uses the API version that crosscall supports.",
        ...parameters,
        message: `${what} is malformed${where}: ${reason}`,
      },
      { what, path, ...factsOf(call) },
    );
  }
}

/** A precondition does not hold. */
export class InvalidStateError extends CrosscallError {
  readonly code = "INVALID_STATE";
}

/** The service responded with an error status. */
export class ServiceError extends CrosscallError {
  readonly code = "SERVICE_ERROR";
  /** HTTP status. */
  declare readonly status: number;
  /** The `errorCode` in the service's response. */
  declare readonly errorCode: string | undefined;
  /** The `errorData` in the service's response. */
  declare readonly errorData: unknown;
  /** Method and path. */
  declare readonly endpoint: string;
  /** Number of attempts; set when crosscall sent the request. */
  declare readonly tries?: number;
  /** The `requestId` in the HTTP request or response. */
  declare readonly requestId?: string;
  /** Milliseconds to wait before a retry, from the service's `Retry-After`. */
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
    const { status, errorCode, errorData, endpoint, tries, requestId, retryAfterMs } = parameters;
    super(parameters, { status, errorCode, errorData, endpoint, ...compact({ tries, requestId, retryAfterMs }) });
  }
}

/** The service did not respond. */
export class ServiceUnreachableError extends CrosscallError {
  readonly code = "SERVICE_UNREACHABLE";
  /** Method and path. */
  declare readonly endpoint: string;
  /** Number of attempts; set when crosscall sent the request. */
  declare readonly tries?: number;
  /** The `requestId` in the HTTP request. */
  declare readonly requestId?: string;

  constructor(parameters: { endpoint: string; cause: unknown; tries?: number; requestId?: string | undefined }) {
    const { endpoint, cause } = parameters;
    super(
      {
        message: `${endpoint} did not respond`,
        hint: "Check the base URL and that the service is running, then retry.",
        cause,
      },
      factsOf(parameters),
    );
  }
}

/** A chain's RPC endpoint is unreachable or rejected a request. */
export class ChainError extends CrosscallError {
  readonly code = "CHAIN_ERROR";
  /** Id of the chain; undefined if the endpoint never reported it. */
  declare readonly chainId: number | undefined;

  constructor(parameters: ErrorParameters & { chainId: number | undefined }) {
    super(parameters, { chainId: parameters.chainId });
  }
}

/** A wallet or endpoint is connected to a different chain. */
export class WrongChainError extends CrosscallError {
  readonly code = "WRONG_CHAIN";
  /** The required chain. */
  declare readonly expectedChainId: number;
  /** The chain that the wallet or endpoint is connected to. */
  declare readonly actualChainId: number;

  constructor(parameters: {
    what: string;
    expectedChainId: number;
    actualChainId: number;
    hint?: string;
    cause?: unknown;
  }) {
    const { what, expectedChainId, actualChainId } = parameters;
    super(
      {
        hint: `Connect to chain ${expectedChainId}.`,
        ...parameters,
        message: `${what} is on chain ${actualChainId}, but chain ${expectedChainId} is required`,
      },
      { expectedChainId, actualChainId },
    );
  }
}

/** A transaction could not be sent, or was included and reverted. */
export class TransactionFailedError extends CrosscallError {
  readonly code = "TRANSACTION_FAILED";
  /** The chain of the transaction. */
  declare readonly chainId: number;
  /** Hash of the transaction; set if it was included in a block. */
  declare readonly txHash: string | undefined;

  constructor(parameters: ErrorParameters & { chainId: number; txHash?: string }) {
    const { chainId, txHash } = parameters;
    super(parameters, { chainId, txHash });
  }
}

/** A quote has a step that `executeSteps` does not support. */
export class UnsupportedStepError extends CrosscallError {
  readonly code = "UNSUPPORTED_STEP";
  /** The `id` of the step. */
  declare readonly stepId: string;
  /** The `kind` of the step. */
  declare readonly kind: string;

  constructor(parameters: { stepId: string; kind: string }) {
    super(
      {
        message: `step "${parameters.stepId}" has the unsupported kind "${parameters.kind}"`,
        hint: "Perform this step yourself, or request a quote without it.",
      },
      parameters,
    );
  }
}

const NOT_FILLED_HINTS: Readonly<Record<string, string | undefined>> = {
  refund: "The deposit was returned to the refund address. Request a new quote.",
  unconfirmed:
    "To check again, execute the same quote with the same journal again. Nothing is paid twice. If the result does not change, claim the deposit with the orderId.",
};

/** A request reached a terminal status other than success, or the destination chain does not show its success. */
export class RequestNotFilledError extends CrosscallError {
  readonly code = "REQUEST_NOT_FILLED";
  /** The id of the request. */
  declare readonly requestId: string;
  /** The service's status, or `unconfirmed`: no transaction on the destination chain confirms the reported success. */
  declare readonly status: string;
  /**
   * `details` from the service's status response, such as a `failReason`, or the reason why no transaction counts as
   * the fill.
   */
  declare readonly details: string | undefined;

  constructor(parameters: { requestId: string; status: string; details: string | undefined }) {
    const { requestId, status, details } = parameters;
    const reason = details === undefined ? "" : ` (${details})`;
    super(
      {
        message:
          status === "unconfirmed"
            ? `the service reports that request ${requestId} is filled, but the destination chain does not show it${reason}`
            : `request ${requestId} ended in ${status}${reason}`,
        hint: NOT_FILLED_HINTS[status] ?? "Look up the request's `failReason` with GET /requests/v3.",
      },
      parameters,
    );
  }
}

/** An operation did not finish before its deadline. */
export class TimedOutError extends CrosscallError {
  readonly code = "TIMED_OUT";
  /** The limit, in milliseconds. */
  declare readonly timeoutMs: number;
  /** Method and path, if the operation was a request to the service. */
  declare readonly endpoint?: string;
  /** Number of attempts, if the operation was a request to the service. */
  declare readonly tries?: number;
  /** The `requestId` in the HTTP request, if known. */
  declare readonly requestId?: string;

  constructor(parameters: { what: string; timeoutMs: number; hint: string; cause?: unknown; call?: ServiceCallFacts }) {
    const { what, timeoutMs, call } = parameters;
    super({ ...parameters, message: `${what} did not finish within ${timeoutMs} ms` }, { timeoutMs, ...factsOf(call) });
  }
}

/** Payment that was requested from a wallet before the caller aborted. */
export interface StartedPayment {
  readonly requestId: string;
  /** Hash of the transaction, if known. */
  readonly txHash: string | undefined;
}

/** The caller aborted the operation. */
export class AbortedError extends CrosscallError {
  readonly code = "ABORTED";
  readonly #what: string;
  /** Id of the request with a payment that was, or may have been, sent. */
  declare readonly requestId?: string;
  /** Transaction hash of the payment, if the wallet returned one. */
  declare readonly txHash?: string;

  constructor(parameters: { what: string; cause?: unknown; payment?: StartedPayment }) {
    const { what, cause, payment } = parameters;
    const sent = payment?.txHash === undefined ? "may have been sent" : `was sent in transaction ${payment.txHash}`;
    super(
      {
        message: payment === undefined ? `${what} was aborted` : `${what} was aborted, but the payment ${sent}`,
        hint:
          payment === undefined
            ? "The caller aborted the operation; no action is needed."
            : `To follow request ${payment.requestId}, execute the same quote with the same journal again. Nothing is paid twice.`,
        cause,
      },
      compact({ requestId: payment?.requestId, txHash: payment?.txHash }),
    );
    this.#what = what;
  }

  /** Returns the error with the details of a payment that was started before the abort. */
  withPayment(payment: StartedPayment): AbortedError {
    return new AbortedError({ what: this.#what, cause: this.cause, payment });
  }
}

/** A named stage of a longer run failed. */
export class StageFailedError extends CrosscallError {
  readonly code = "STAGE_FAILED";
  /** Name of the stage, as shown in the progress. */
  declare readonly stage: string;

  constructor(parameters: { stage: string; cause: unknown }) {
    const { cause, stage } = parameters;
    super(
      {
        message: `${stage}: ${cause instanceof CrosscallError ? cause.message : shortReason(cause)}`,
        hint: cause instanceof CrosscallError ? cause.hint : "Run again with --json for the full error, and report it.",
        cause,
      },
      { stage },
    );
  }
}

/** Drops undefined fields, which the error's JSON omits. */
function factsOf({ endpoint, tries, requestId }: Partial<ServiceCallFacts> = {}): object {
  return compact({ endpoint, tries, requestId });
}

function describeValue(value: unknown): string {
  // JSON cannot represent NaN, Infinity or bigint.
  const text = typeof value === "number" || typeof value === "bigint" ? String(value) : toText(value);
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}

function toText(value: unknown): string {
  try {
    // JSON.stringify returns undefined for functions and symbols, despite its type.
    const text: unknown = JSON.stringify(value);
    return typeof text === "string" ? text : typeof value;
  } catch {
    return typeof value;
  }
}
