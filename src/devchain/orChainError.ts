import { ChainError, CrosscallError } from "@crosscall/sdk/internal/core/errors";

/**
 * What a piece of work on a chain gives.
 *
 * @throws {@link ChainError} for a fault of the node; the kit's own errors as they are
 */
export async function orChainError<Result>(
  { id, rpcUrl }: { readonly id: number; readonly rpcUrl: string },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof CrosscallError) throw cause;
    throw new ChainError({
      message: `chain ${id} at ${rpcUrl} could not be prepared`,
      hint: "Pass the URL of a running local node (anvil or Hardhat) with its default accounts.",
      chainId: id,
      cause,
    });
  }
}
