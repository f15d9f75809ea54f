import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { numberToHex } from "viem";
import { createLocalNames, guardServer } from "@crosscall/oracle/server";
import { ChainError, CrosscallError, shortReason } from "@crosscall/protocol/core";

import type { RemoteCache } from "./remoteCache.ts";
import type { RpcResponse, RpcCall, Upstream } from "./upstream.ts";

/** Upstream node for an engine: serves the chain at one block, from the cache if possible. */
interface RpcCacheProxy {
  readonly url: string;
  /** Returns and clears the last read failure, because engines hide it in their own errors. */
  takeFailure(): unknown;
  /**
   * Prefetches in one batch.
   *
   * @returns the error of the last failed call, or undefined
   */
  fetch(calls: readonly RpcCall[]): Promise<unknown>;
  close(): Promise<void>;
}

interface RpcCacheProxyParameters {
  readonly upstream: Upstream;
  readonly cache: RemoteCache;
  readonly chainId: number;
  /** Last block that the engine can see. */
  readonly blockNumber: bigint;
}

/**
 * Age of the forked block, in blocks, that the proxy reports. Engines do not cache blocks that a reorg can replace, and
 * would read the same accounts for every fill. The proxy's state belongs to a block hash, so it can report the block as
 * old.
 */
const SETTLED_DEPTH = 10_000n;

/** Read-only methods, which are passed on to the chain. */
const READS: ReadonlySet<string> = new Set([
  "eth_getBalance",
  "eth_getBlockByHash",
  "eth_getBlockByNumber",
  "eth_getBlockReceipts",
  "eth_getCode",
  "eth_getLogs",
  "eth_getStorageAt",
  "eth_getTransactionByHash",
  "eth_getTransactionCount",
  "eth_getTransactionReceipt",
]);

export async function openRpcCacheProxy({
  upstream,
  cache,
  chainId,
  blockNumber,
}: RpcCacheProxyParameters): Promise<RpcCacheProxy> {
  let failure: unknown;
  const pinned: ReadonlyMap<string, unknown> = new Map<string, unknown>([
    ["eth_chainId", `0x${chainId.toString(16)}`],
    ["net_version", String(chainId)],
    ["eth_blockNumber", numberToHex(blockNumber + SETTLED_DEPTH)],
  ]);

  /** Returns the response to a call if the response is known without the chain. */
  const known = ({ method, params }: RpcCall): RpcResponse | undefined => {
    if (pinned.has(method)) return { result: pinned.get(method) };
    if (!READS.has(method)) return { error: { code: -32601, message: `${method} is not a read method` } };
    const kept = cache.read(method, params);
    return kept === undefined ? undefined : { result: kept };
  };

  const respond = async (calls: readonly RpcCall[]): Promise<readonly RpcResponse[]> => {
    const responses = calls.map(known);
    const missing = calls.filter((_, index) => responses[index] === undefined);
    const read = await upstream.send(missing);
    missing.forEach(({ method, params }, index) => {
      const each = read[index];
      if (each === undefined) return;
      if ("result" in each) {
        // Does not cache missing data, because the data can exist later.
        if (each.result !== null) cache.keep(method, params, each.result);
      } else if (saysPruned(each.error.message)) {
        const { message: reason } = each.error;
        failure = new StateUnavailableError({ chainId, blockNumber, host: upstream.host, reason, cause: each.error });
      } else {
        failure = new ChainError({
          message: `${upstream.host} rejected ${method}: ${each.error.message}`,
          hint: "Try again later, or pass another RPC URL: finished reads are cached.",
          chainId,
          cause: each.error,
        });
      }
    });
    let next = 0;
    return responses.flatMap((each) => each ?? read[next++] ?? []);
  };

  const takeFailure = (): unknown => {
    const taken = failure;
    failure = undefined;
    return taken;
  };

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await json(incoming)) as Body | Body[];
    const bodies = Array.isArray(body) ? body : [body];
    const responses = await respond(bodies.map(({ method, params = [] }) => ({ method, params }))).catch(
      (error: unknown) => {
        failure = error;
        return bodies.map((): RpcResponse => ({ error: { code: -32000, message: String(error) } }));
      },
    );
    const messages = responses.map((each, index) => ({ ...each, jsonrpc: "2.0", id: bodies[index]?.id ?? null }));
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify(Array.isArray(body) ? messages : messages[0]));
  };

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy());
  });
  // The upstream's URL can contain the user's key.
  guardServer(server, createLocalNames([]));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    takeFailure,
    async fetch(calls) {
      await respond(calls);
      return takeFailure();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await cache.flush();
    },
  };
}

interface Body {
  readonly id: unknown;
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** Thrown if the RPC endpoint no longer has the state of the block to fork. */
export class StateUnavailableError extends CrosscallError {
  readonly code = "STATE_UNAVAILABLE";
  /** Chain id. */
  readonly chainId: number;
  /** Number of the replayed block, in decimal. */
  readonly blockNumber: string;

  constructor(parameters: { chainId: number; blockNumber: bigint; host: string; reason: string; cause?: unknown }) {
    const { chainId, blockNumber, host, reason, cause } = parameters;
    super({
      message: `${host} has no state of block ${blockNumber} of chain ${chainId}: ${shortReason(reason)}`,
      hint: "Pass the RPC URL of an archive node, or replay on a later block.",
      cause,
    });
    this.chainId = chainId;
    this.blockNumber = blockNumber.toString();
  }
}

/** Error messages of nodes without the state of a block. */
const PRUNED =
  /missing trie node|header not found|state (is )?not available|state .* is not available|pruned|historical state|block not found|BlockOutOfRange|unknown block|archive/iu;

/** Returns whether a node's error says that it does not have the state of a block. */
export function saysPruned(message: string): boolean {
  return PRUNED.test(message);
}
