import { BaseError, createPublicClient, http, type PublicClient } from "viem";

import { CREATE2_FACTORY, CREATE2_FACTORY_CODE, FactoryMissingError } from "@crosscall/protocol/chains";
import { ChainError, InvalidInputError, WrongChainError } from "@crosscall/protocol/core";

export interface Target {
  readonly chainId: number;
  /** May contain a key, so it is never shown. */
  readonly rpcUrl: string;
  readonly client: PublicClient;
}

/**
 * The URL is never shown: it may contain a key.
 *
 * @param expectedChainId rejects any other chain
 * @param signal ends all calls
 */
export async function connectTarget(
  rpcUrl: string,
  expectedChainId: number | undefined,
  signal: AbortSignal,
): Promise<Target> {
  if (!/^https?:\/\/./u.test(rpcUrl) || !URL.canParse(rpcUrl)) {
    throw new InvalidInputError({
      field: "--rpc-url",
      value: "(hidden)",
      reason: "it is not an http or https URL",
      hint: "Pass the URL of the chain's JSON-RPC endpoint, with the option or in CROSSCALL_RPC_URL.",
    });
  }
  const transport = http(rpcUrl, {
    retryCount: 2,
    timeout: 20_000,
    // viem ends a call only by its own timeout.
    fetchFn: (input, init) =>
      fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal }),
  });
  const client = createPublicClient({ transport, cacheTime: 0 });
  const chainId = await asChainError(expectedChainId, () => client.getChainId());
  if (expectedChainId !== undefined && chainId !== expectedChainId) {
    throw new WrongChainError({ what: "the RPC endpoint", expectedChainId, actualChainId: chainId });
  }
  return { chainId, rpcUrl, client };
}

export async function requireFactory({ chainId, client }: Target): Promise<void> {
  const code = await client.getCode({ address: CREATE2_FACTORY });
  if (code === CREATE2_FACTORY_CODE) return;
  throw new FactoryMissingError({ chainId, hasOtherCode: code !== undefined });
}

/** Errors of the node without the URL. */
export async function asChainError<Result>(chainId: number | undefined, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    throw new ChainError({
      message: `the node of ${chainId === undefined ? "the chain" : `chain ${chainId}`} failed a call: ${error.details || error.shortMessage}`,
      hint: "Check the RPC URL and that the node is up and in sync, then run the command again to continue.",
      chainId,
    });
  }
}
