import type { Address, Hex } from "viem";
import { ChainError, InvalidInputError, TimedOutError } from "@crosscall/protocol/core";

import type { RemoteCache } from "../fork/remoteCache.ts";
import type { RpcResponse, RpcCall, Upstream } from "../fork/upstream.ts";

export interface ReceiptLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

export interface PastTransaction {
  readonly hash: Hex;
  readonly from: Address;
  /** Called address; undefined for a contract creation. */
  readonly to: Address | undefined;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
  readonly gas: bigint;
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
  readonly success: boolean;
  readonly gasUsed: bigint;
  readonly logs: readonly ReceiptLog[];
}

/**
 * @throws {@link InvalidInputError} if the chain has not included the transaction
 *
 * @throws {@link ChainError} if the chain does not respond
 */
export async function readPastTransaction(
  upstream: Upstream,
  hash: Hex,
  cache?: RemoteCache,
): Promise<PastTransaction> {
  const [sent, included] = (await readKept(upstream, cache, [
    { method: "eth_getTransactionByHash", params: [hash] },
    { method: "eth_getTransactionReceipt", params: [hash] },
  ])) as [RawTransaction | null, RawReceipt | null];
  if (sent === null || included === null) {
    throw new InvalidInputError({
      field: "hash",
      value: hash,
      reason: `${upstream.host} has no included transaction with this hash`,
      hint: "Pass the hash of a fill and the RPC URL of the destination chain. Pruned nodes lack old transactions.",
    });
  }
  return {
    hash,
    from: sent.from,
    to: sent.to ?? undefined,
    data: sent.input,
    value: BigInt(sent.value),
    gas: BigInt(sent.gas),
    blockNumber: BigInt(included.blockNumber),
    blockHash: included.blockHash,
    success: BigInt(included.status) === 1n,
    gasUsed: BigInt(included.gasUsed),
    logs: included.logs.map(({ address, topics, data }) => ({ address, topics, data })),
  };
}

interface RawTransaction {
  readonly from: Address;
  readonly to: Address | null;
  readonly input: Hex;
  readonly value: Hex;
  readonly gas: Hex;
}

interface RawReceipt {
  readonly blockNumber: Hex;
  readonly blockHash: Hex;
  readonly status: Hex;
  readonly gasUsed: Hex;
  readonly logs: readonly ReceiptLog[];
}

/**
 * Reads from the chain, or from the cache if the chain does not respond.
 *
 * @throws {@link ChainError} if the chain does not respond and the data is not cached
 */
export async function readKept(
  upstream: Upstream,
  cache: RemoteCache | undefined,
  calls: readonly RpcCall[],
): Promise<readonly unknown[]> {
  const kept = calls.map(({ method, params }) => cache?.read(method, params));
  try {
    const responses = await upstream.send(calls);
    return calls.map(({ method, params }, index) => {
      const result = resultOf(responses[index], upstream);
      if (result !== null) cache?.keep(method, params, result);
      return result;
    });
  } catch (error) {
    const isAway = error instanceof ChainError || error instanceof TimedOutError;
    if (isAway && kept.every((each) => each !== undefined)) return kept;
    throw error;
  } finally {
    await cache?.flush();
  }
}

/** @throws {@link ChainError} for an error response */
function resultOf(response: RpcResponse | undefined, { host }: Upstream): unknown {
  if (response !== undefined && "result" in response) return response.result;
  throw new ChainError({
    message: `${host} rejected a request: ${response?.error.message ?? "no response"}`,
    hint: "Check that the RPC URL belongs to a node of an EVM chain, and that its key is valid.",
    chainId: undefined,
    cause: response?.error,
  });
}
