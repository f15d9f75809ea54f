import { channel } from "node:diagnostics_channel";

import {
  type Account,
  type Chain,
  type Client,
  type PublicActions,
  type Transport,
  createClient,
  defineChain,
  http,
  publicActions,
} from "viem";

export type ChainClient<account extends Account | undefined = undefined> = Client<Transport, Chain, account> &
  PublicActions<Transport, Chain, account>;

// Local blocks take milliseconds; viem's default of seconds would dominate a fill's time.
const POLLING_INTERVAL_MS = 25;

/** Diagnostics channel with each call of a chain as an {@link RpcCall}. */
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

export function httpTransport(rpcUrl: string): Transport {
  // Retries, since a busy machine closes idle connections just as they are used again.
  return http(rpcUrl, { retryCount: 3, timeout: 10_000 });
}

export function chainClient<account extends Account | undefined = undefined>(
  chainId: number,
  rpcUrl: string,
  account?: account,
  transport: Transport = httpTransport(rpcUrl),
): ChainClient<account> {
  return createClient({
    ...(account === undefined ? {} : { account }),
    chain: describeChain(chainId, rpcUrl),
    transport: announcing(chainId, transport),
    pollingInterval: POLLING_INTERVAL_MS,
    cacheTime: 0,
  }).extend(publicActions) as ChainClient<account>;
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
