import { ChainError } from "@crosscall/sdk/internal/core/errors";

/** Why an endpoint gave no answer that can be used. */
export type RpcFailure = "disagreeing" | "malformed" | "rate-limited" | "refused" | "timeout" | "unreachable";

const DESCRIPTIONS: Readonly<Record<RpcFailure, string>> = {
  disagreeing: "do not agree",
  malformed: "answered something that is no answer",
  "rate-limited": "limits the rate of calls",
  refused: "refused the call",
  timeout: "did not answer in time",
  unreachable: "could not be reached",
};

/** An RPC endpoint gave no answer that can be used; another one may. */
export class RpcError extends ChainError {
  readonly failure: RpcFailure;
  /** Host and port; never the whole URL, which may hold a key. */
  readonly endpoint: string;

  constructor(
    endpoint: string,
    failure: RpcFailure,
    options: { readonly detail?: string; readonly cause?: unknown } = {},
  ) {
    const detail = options.detail === undefined ? "" : `: ${options.detail}`;
    super({
      message: `${endpoint} ${DESCRIPTIONS[failure]}${detail}`,
      hint: "Check the RPC endpoint of the chain, or name further ones.",
      chainId: undefined,
      cause: options.cause,
    });
    this.failure = failure;
    this.endpoint = endpoint;
  }
}

/** A contract call that the chain runs and that reverts: an answer of the endpoint, not a failure of it. */
export class CallRevertedError extends RpcError {
  constructor(endpoint: string) {
    super(endpoint, "refused", { detail: "the call reverts" });
  }
}
