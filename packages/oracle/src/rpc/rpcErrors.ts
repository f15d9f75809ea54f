import { ChainError, MalformedDataError, TimedOutError } from "@crosscall/protocol/core";
import { ResponseTooLargeError } from "./httpClient.ts";

export type RpcFailure =
  | "disagreeing"
  | "malformed"
  | "rate-limited"
  | "refused"
  | "timeout"
  | "too-large"
  | "unreachable"
  | "wrong-chain";

/**
 * Maximum length of a response: twice the hex length of the longest receipt that a transaction's gas can pay for, which
 * is 2^24 gas at 8 gas per byte.
 */
export const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

const DESCRIPTIONS: Readonly<Record<RpcFailure, string>> = {
  disagreeing: "do not agree",
  malformed: "returned a malformed response",
  "rate-limited": "limits the rate of calls",
  refused: "rejected the call",
  timeout: "did not respond in time",
  "too-large": "returned too large a response",
  unreachable: "could not be reached",
  "wrong-chain": "serves another chain",
};

/** Thrown if an endpoint returned no usable response. Another endpoint may return one. */
export class RpcError extends ChainError {
  readonly failure: RpcFailure;
  /** Host and port, without the rest of the URL, which may contain a key. */
  readonly endpoint: string;

  constructor(
    endpoint: string,
    failure: RpcFailure,
    options: { readonly detail?: string; readonly cause?: unknown } = {},
  ) {
    const detail = options.detail === undefined ? "" : `: ${options.detail}`;
    super({
      message: `${endpoint} ${DESCRIPTIONS[failure]}${detail}`,
      hint: "Check the RPC endpoint of the chain, or add more endpoints.",
      chainId: undefined,
      cause: options.cause,
    });
    this.failure = failure;
    this.endpoint = endpoint;
  }
}

/** Thrown if the call ran and reverted, which is a result and not a failure of the endpoint. */
export class CallRevertedError extends RpcError {
  constructor(endpoint: string) {
    super(endpoint, "refused", { detail: "the call reverts" });
  }
}

/** Returns the reason why there is no response. */
export function failureOf(error: unknown): RpcFailure {
  if (error instanceof TimedOutError) return "timeout";
  return error instanceof ResponseTooLargeError ? "too-large" : "unreachable";
}

/** Rejects a redirect, because following it would send the credentials to another host. */
export function redirected(endpoint: string): RpcError {
  return new RpcError(endpoint, "malformed", { detail: "it redirects" });
}

/** Creates an error for a parser. The caller adds the endpoint. */
export function rejectResponse(reason: string): never {
  throw new MalformedDataError({ what: "the response of an RPC endpoint", path: "", reason });
}
