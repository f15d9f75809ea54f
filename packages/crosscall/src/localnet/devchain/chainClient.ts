import { channel } from "node:diagnostics_channel";

import {
  type Account,
  type Chain,
  type Client,
  createClient,
  defineChain,
  http,
  type HttpTransportConfig,
  type PublicActions,
  publicActions,
  type Transport,
} from "viem";

import type { ChainChanges } from "./node.ts";

export type ChainClient<account extends Account | undefined = undefined> = Client<Transport, Chain, account> &
  PublicActions<Transport, Chain, account>;

// Polling interval. Local blocks take milliseconds, so viem's default of several seconds would dominate the time of a
// fill.
const POLLING_INTERVAL_MS = 25;

/** Diagnostics channel that publishes each RPC call as an {@link RpcCall}. */
export const RPC_CALLS = "crosscall.rpc";

export interface RpcCall {
  readonly chainId: number;
  readonly method: string;
}

const rpcCalls = channel(RPC_CALLS);

export function describeChain(chainId: number, rpcUrl: string): Chain {
  return defineChain({
    id: chainId,
    name: `Local ${chainId}`,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
}

/** @param options transport options in addition to retries and timeout */
export function httpTransport(
  rpcUrl: string,
  options: Pick<HttpTransportConfig, "batch" | "fetchOptions"> = {},
): Transport {
  // Retries, because a busy machine can close an idle connection just as it is reused.
  return http(rpcUrl, { retryCount: 3, timeout: 10_000, ...options });
}

/** @param changes the node's changes; if they are complete, the client caches some calls until the next change */
export function chainClient<account extends Account | undefined = undefined>(
  chainId: number,
  rpcUrl: string,
  account?: account,
  transport: Transport = httpTransport(rpcUrl),
  changes?: ChainChanges,
): ChainClient<account> {
  return createClient({
    ...(account === undefined ? {} : { account }),
    chain: describeChain(chainId, rpcUrl),
    transport: remembering(changes, announcing(chainId, transport)),
    pollingInterval: POLLING_INTERVAL_MS,
    cacheTime: 0,
  }).extend(publicActions) as ChainClient<account>;
}

/** Calls made for every quote and fill. Their responses stay the same until the chain changes. */
const REMEMBERED: ReadonlySet<string> = new Set([
  "eth_getBlockByHash",
  "eth_getBlockByNumber",
  "eth_gasPrice",
  "eth_maxPriorityFeePerGas",
]);

function remembering(changes: ChainChanges | undefined, transport: Transport): Transport {
  if (changes === undefined) return transport;
  const known = new Map<string, Promise<unknown>>();
  const keyOf = (method: string, params: unknown): string => JSON.stringify([method, params]);
  changes.subscribe((responses) => {
    known.clear();
    for (const { method, params, result } of responses) known.set(keyOf(method, params), Promise.resolve(result));
  });
  return (parameters) => {
    const { request, ...rest } = transport(parameters);
    const remember = (
      call: { readonly method: string; readonly params?: unknown },
      options?: object,
    ): Promise<unknown> => {
      const { method, params } = call;
      // The pending block changes over time.
      const isRemembered = REMEMBERED.has(method) && !(Array.isArray(params) && params[0] === "pending");
      if (!isRemembered || !changes.isComplete) return request(call, options);
      const key = keyOf(method, params);
      const former = known.get(key);
      if (former !== undefined) return former;
      const response = request(call, options);
      known.set(key, response);
      response.catch(() => {
        if (known.get(key) === response) known.delete(key);
      });
      return response;
    };
    return { ...rest, request: remember as typeof request };
  };
}

function announcing(chainId: number, transport: Transport): Transport {
  return (parameters) => {
    const { request, ...rest } = transport(parameters);
    const announce: typeof request = (call, options) => {
      if (rpcCalls.hasSubscribers) rpcCalls.publish({ chainId, method: call.method } satisfies RpcCall);
      return request(call, options);
    };
    return { ...rest, request: announce };
  };
}
