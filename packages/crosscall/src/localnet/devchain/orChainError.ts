import { ChainError, CrosscallError } from "@crosscall/protocol/core";
import { redactCause, redactUrl } from "../redactUrl.ts";

/** @throws {@link ChainError} for errors of the node; rethrows errors of the kit */
export async function orChainError<Result>(
  { id, rpcUrl }: { readonly id: number; readonly rpcUrl: string },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof CrosscallError) throw cause;
    throw new ChainError({
      message: `chain ${id} at ${redactUrl(rpcUrl)} could not be prepared`,
      hint: "Pass the URL of a running local node (anvil or Hardhat) with its default accounts.",
      chainId: id,
      cause: redactCause(cause, rpcUrl),
    });
  }
}
