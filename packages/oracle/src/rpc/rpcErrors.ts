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

/** Twice the longest receipt that the gas of one transaction buys, 2^24 at 8 per byte, in hex. */
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

/** One endpoint gave no usable response; another may. */
export class RpcError extends ChainError {
  readonly failure: RpcFailure;
  /** Host and port; the whole URL may contain a key. */
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

/** The call ran and reverted, which is a result, not a failure of the endpoint. */
export class CallRevertedError extends RpcError {
  constructor(endpoint: string) {
    super(endpoint, "refused", { detail: "the call reverts" });
  }
}

/** Why there is no response. */
export function failureOf(error: unknown): RpcFailure {
  if (error instanceof TimedOutError) return "timeout";
  return error instanceof ResponseTooLargeError ? "too-large" : "unreachable";
}

/** A redirect would send the credentials to another host. */
export function redirected(endpoint: string): RpcError {
  return new RpcError(endpoint, "malformed", { detail: "it redirects" });
}

/** For parsers, whose callers name the endpoint. */
export function rejectResponse(reason: string): never {
  throw new MalformedDataError({ what: "the response of an RPC endpoint", path: "", reason });
}
