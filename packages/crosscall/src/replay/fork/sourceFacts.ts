import { numberToHex } from "viem";

import { ChainError, InvalidInputError, TimedOutError, WrongChainError } from "@crosscall/protocol/core";
import { type BlockHeader, readHeader } from "./blockHeader.ts";
import type { ChainKind } from "./edrEngine.ts";
import { openSourceCache } from "./remoteCache.ts";
import type { RpcResponse, RpcCall, Upstream } from "./upstream.ts";

export interface SourceFacts {
  readonly chainId: number;
  readonly kind: ChainKind;
  /** Header of the last forked block. */
  readonly header: BlockHeader;
  /** The same block as received from the node. */
  readonly block: unknown;
  /** Header of the next block; undefined if it does not exist yet. */
  readonly next: BlockHeader | undefined;
}

export interface SourceParameters {
  readonly upstream: Upstream;
  readonly rpcUrl: string;
  /** Any if absent. */
  readonly chainId: number | undefined;
  /** Block to fork; the latest by default. */
  readonly blockNumber: bigint | undefined;
  readonly cacheFolder: string | undefined;
}

/** The L1Block predeploy of OP Stack chains. */
const L1_BLOCK = "0x4200000000000000000000000000000000000015";

/**
 * Reads the block to fork, or takes it from the cache if the chain does not respond.
 *
 * @throws {@link WrongChainError} if the URL serves another chain
 * @throws {@link InvalidInputError} if the chain has no such block
 * @throws {@link ChainError} if the chain does not respond and the block is not cached
 */
export async function readSource(parameters: SourceParameters): Promise<SourceFacts> {
  const { rpcUrl, blockNumber } = parameters;
  const tag = blockNumber === undefined ? "latest" : numberToHex(blockNumber);
  const calls: RpcCall[] = [
    { method: "eth_chainId", params: [] },
    { method: "eth_getBlockByNumber", params: [tag, false] },
    { method: "eth_getCode", params: [L1_BLOCK, tag] },
    ...(blockNumber === undefined
      ? []
      : [{ method: "eth_getBlockByNumber", params: [numberToHex(blockNumber + 1n), false] }]),
  ];
  const [chain, block, code, next] = await readCalls(parameters, calls);
  const actualChainId = Number(chain);
  const { chainId = actualChainId } = parameters;
  if (actualChainId !== chainId) {
    throw new WrongChainError({ what: new URL(rpcUrl).host, expectedChainId: chainId, actualChainId });
  }
  if (block === null || block === undefined) {
    throw new InvalidInputError({
      field: "blockNumber",
      value: blockNumber,
      reason: `${new URL(rpcUrl).host} does not have this block of chain ${chainId}`,
      hint: "Pass an existing block. Nodes that lag or prune may lack a block.",
    });
  }
  return {
    chainId,
    kind: typeof code === "string" && code !== "0x" ? "op" : "l1",
    header: readHeader(chainId, block),
    block,
    next: next === null || next === undefined ? undefined : readHeader(chainId, next),
  };
}

async function readCalls(parameters: SourceParameters, calls: readonly RpcCall[]): Promise<unknown[]> {
  const { upstream, cacheFolder, rpcUrl, chainId } = parameters;
  const cache = await openSourceCache(cacheFolder, rpcUrl);
  const read = await sendOrUndefined(upstream, calls, (error) => {
    const kept = calls.slice(0, 2).every(({ method, params }) => cache.read(method, params) !== undefined);
    // Without a given block, the cache does not help, because the latest block is unknown.
    if (!kept || parameters.blockNumber === undefined) throw error;
  });
  if (read === undefined) return calls.map(({ method, params }) => cache.read(method, params));
  const results = read.map((response, index) => {
    if ("result" in response) return response.result;
    // Only the first two results, chain id and block, are required.
    if (index > 1) return undefined;
    throw new ChainError({
      message: `${upstream.host} rejected ${String(calls[index]?.method)}: ${response.error.message}`,
      hint: "Check that the RPC URL belongs to a node of an EVM chain, and that its key is valid.",
      chainId,
      cause: response.error,
    });
  });
  calls.forEach(({ method, params }, index) => {
    if (results[index] !== null && results[index] !== undefined) cache.keep(method, params, results[index]);
  });
  await cache.flush();
  return results;
}

async function sendOrUndefined(
  upstream: Upstream,
  calls: readonly RpcCall[],
  onUnreachable: (error: unknown) => void,
): Promise<readonly RpcResponse[] | undefined> {
  try {
    return await upstream.send(calls);
  } catch (error) {
    if (!(error instanceof ChainError || error instanceof TimedOutError)) throw error;
    onUnreachable(error);
    return undefined;
  }
}
