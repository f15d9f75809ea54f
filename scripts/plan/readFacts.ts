import { createPublicClient, http } from "viem";

import type { CallFacts } from "../../src/calls/index.ts";
import { readCallFacts } from "../../src/client/readCallFacts.ts";
import { abortable } from "../../src/core/abort.ts";
import { ChainError, InvalidInputError, WrongChainError } from "../../src/core/errors.ts";
import type { FinishedPlan } from "./finishPlan.ts";

/**
 * What the destination chain says of a plan's calls.
 *
 * @throws {@link InvalidInputError} when the URL is none
 * @throws {@link WrongChainError} when it serves another chain than the plan's destination
 * @throws {@link ChainError} when it does not answer
 */
export async function readFacts(
  { request, contracts }: FinishedPlan,
  rpcUrl: string,
  signal: AbortSignal,
): Promise<CallFacts> {
  const client = createPublicClient({ transport: http(parseRpcUrl(rpcUrl)) });
  const actualChainId = await abortable(client.getChainId(), signal, "asking for the chain's id").catch(
    (cause: unknown) => {
      signal.throwIfAborted();
      throw new ChainError({
        message: "the destination chain's RPC endpoint does not answer",
        cure: "Check --rpc-url and that the node answers, or leave it out to check without what the chain says.",
        chainId: request.destinationChainId,
        cause,
      });
    },
  );
  const { destinationChainId: expectedChainId = actualChainId } = request;
  if (actualChainId !== expectedChainId)
    throw new WrongChainError({ what: "--rpc-url", expectedChainId, actualChainId });
  return readCallFacts(client, { txs: request.txs ?? [], contracts, signal });
}

function parseRpcUrl(rpcUrl: string): string {
  if (URL.canParse(rpcUrl) && ["http:", "https:"].includes(new URL(rpcUrl).protocol)) return rpcUrl;
  throw new InvalidInputError({
    field: "--rpc-url",
    value: rpcUrl,
    reason: "it is not an HTTP URL",
    cure: "Give the JSON-RPC endpoint of the destination chain.",
  });
}
