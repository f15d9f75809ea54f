import { CrosscallError } from "@crosscall/protocol/core";

/** A listing repeats a page and would never end. */
export class PagingStuckError extends CrosscallError {
  readonly code = "PAGING_STUCK";
  /** Path of the listing. */
  declare readonly endpoint: string;
  /** Cursor that repeats, or that returns only known requests. */
  declare readonly continuation: string;
  /** Number of distinct entries listed before the repeated page. */
  declare readonly listed: number;

  constructor(parameters: { endpoint: string; continuation: string; listed: number; reason: string }) {
    super(
      {
        message: `${parameters.endpoint} does not end: ${parameters.reason}, after ${parameters.listed} entries`,
        hint: "List again, sorted by createdAt and within fixed times. If the error persists, report it to the service.",
      },
      { endpoint: parameters.endpoint, continuation: parameters.continuation, listed: parameters.listed },
    );
  }
}

/** The service lists no request with this id. */
export class RequestNotFoundError extends CrosscallError {
  readonly code = "REQUEST_NOT_FOUND";
  /** The requested id. */
  declare readonly requestId: string;

  constructor(parameters: { requestId: string }) {
    super(
      {
        message: `the service does not list request ${parameters.requestId}`,
        hint: "Check the id, the base URL, and that the API key belongs to the same service.",
      },
      { requestId: parameters.requestId },
    );
  }
}

/** The service has retired an endpoint. No request was sent. */
export class EndpointRetiredError extends CrosscallError {
  readonly code = "ENDPOINT_RETIRED";
  /** Method and path. */
  declare readonly endpoint: string;
  /** First day without the endpoint, in ISO 8601. */
  declare readonly retiredAt: string;
  /** Method and path of the replacement. */
  declare readonly successor: string;

  constructor(parameters: { endpoint: string; retiredAt: Date; successor: string }) {
    const retiredAt = parameters.retiredAt.toISOString();
    super(
      {
        message: `${parameters.endpoint} was retired on ${retiredAt}`,
        hint: `Use ${parameters.successor}, or set force (--force on the command line) to send the request anyway.`,
      },
      { endpoint: parameters.endpoint, retiredAt, successor: parameters.successor },
    );
  }
}

/** The client's `accessToken` returned no token. No request was sent. */
export class AccessTokenError extends CrosscallError {
  readonly code = "ACCESS_TOKEN_FAILED";

  constructor(parameters: { reason: string; cause?: unknown }) {
    super({
      message: `accessToken returned no token: ${parameters.reason}`,
      hint: "Return a token from your backend, which creates it with createAccessToken.",
      cause: parameters.cause,
    });
  }
}
