import { CrosscallError } from "@crosscall/protocol/core";

/** No worker has an RPC URL of the remaining fills' chains. */
export class ChainsNotServedError extends CrosscallError {
  readonly code = "CHAINS_NOT_SERVED";
  /** In ascending order. */
  readonly chainIds: readonly number[];

  constructor({ chainIds, cause }: { readonly chainIds: readonly number[]; readonly cause?: unknown }) {
    super({
      message: `no worker has an RPC URL of ${chainIds.map((chainId) => `chain ${chainId}`).join(", ")}`,
      hint: `Run it again with ${chainIds.map((chainId) => `--rpc-url ${chainId}=<url>`).join(" ")}: what was replayed stays.`,
      cause,
    });
    this.chainIds = chainIds;
  }
}
