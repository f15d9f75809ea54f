import { numberToHex } from "viem";

import { ChainError, InvalidInputError, TimedOutError, WrongChainError } from "@crosscall/sdk/internal/core/errors";
import { type BlockHeader, readHeader } from "./blockHeader.ts";
import type { ChainKind } from "./edrEngine.ts";
import { openSourceCache } from "./upstream/remoteCache.ts";
import type { RpcAnswer, RpcCall, Upstream } from "./upstream/upstream.ts";

/** What a fork is made from. */
export interface SourceFacts {
  readonly chainId: number;
  readonly kind: ChainKind;
  /** The block after which the fork begins. */
  readonly header: BlockHeader;
  /** The same, as the node gave it. */
  readonly block: unknown;
  /** The block after it, where it is there. */
  readonly next: BlockHeader | undefined;
}

/** What {@link readSource} takes. */
export interface SourceParameters {
  readonly upstream: Upstream;
  readonly rpcUrl: string;
  /** Which chain it must be; any when left out. */
  readonly chainId: number | undefined;
  /** The latest when left out. */
  readonly blockNumber: bigint | undefined;
  readonly cacheFolder: string | undefined;
}

/** OP-stack chains have their view of Ethereum here. */
const L1_BLOCK = "0x4200000000000000000000000000000000000015";

/**
 * Reads what the chain tells of the block to fork; from disk where the chain does not answer and was read before.
 *
 * @throws {@link WrongChainError} when the URL is of another chain
 * @throws {@link InvalidInputError} when the chain has no such block
 * @throws {@link ChainError} when it does not answer, and was not read before
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
      reason: `${new URL(rpcUrl).host} has no such block of chain ${chainId}`,
      hint: "Give a block that is there; a node that is behind or prunes lacks some.",
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
    // The newest block of a chain that is not there is not known.
    if (!kept || parameters.blockNumber === undefined) throw error;
  });
  if (read === undefined) return calls.map(({ method, params }) => cache.read(method, params));
  const results = read.map((answer, index) => {
    if ("result" in answer) return answer.result;
    // What is asked beside the chain's id and the block is not needed.
    if (index > 1) return undefined;
    throw new ChainError({
      message: `${upstream.host} refuses ${String(calls[index]?.method)}: ${answer.error.message}`,
      hint: "Check that the RPC URL is that of an EVM chain's node, and its key.",
      chainId,
      cause: answer.error,
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
): Promise<readonly RpcAnswer[] | undefined> {
  try {
    return await upstream.send(calls);
  } catch (error) {
    if (!(error instanceof ChainError || error instanceof TimedOutError)) throw error;
    onUnreachable(error);
    return undefined;
  }
}
