import { BaseError } from "viem";

import { ChainError } from "@crosscall/protocol/core";
import { kitErrorIn } from "./boundClient.ts";
import { nodeReason } from "./nodeErrors.ts";

/**
 * Asks a chain's node.
 *
 * @param what names what the node should return, for the error
 * @throws {@link ChainError} with the reason of the node
 */
export async function askNode<Result>(chainId: number, what: string, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    throw toNodeError(error, chainId, what);
  }
}

/** The kit's own error inside, such as of an abort; a {@link ChainError} for a node's; other errors unchanged. */
export function toNodeError(error: unknown, chainId: number, what: string): unknown {
  const kitError = kitErrorIn(error);
  if (kitError !== undefined || !(error instanceof BaseError)) return kitError ?? error;
  return new ChainError({
    message: `the node of chain ${chainId} did not return ${what}: ${nodeReason(error)}`,
    hint: "Check the node, or use another one, and execute the same quote with the same journal again.",
    chainId,
    cause: error,
  });
}
