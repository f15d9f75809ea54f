import { ChainError } from "@crosscall/sdk/internal/core/errors";

export type RpcFailure = "disagreeing" | "malformed" | "rate-limited" | "refused" | "timeout" | "unreachable";

const DESCRIPTIONS: Readonly<Record<RpcFailure, string>> = {
  disagreeing: "do not agree",
  malformed: "returned a malformed response",
  "rate-limited": "limits the rate of calls",
  refused: "refused the call",
  timeout: "did not answer in time",
  unreachable: "could not be reached",
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
      hint: "Check the RPC endpoint of the chain, or name further ones.",
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
