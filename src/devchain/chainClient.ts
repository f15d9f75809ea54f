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

/** A client of a local chain: every public action, and an account to send from where one was given. */
export type ChainClient<account extends Account | undefined = undefined> = Client<Transport, Chain, account> &
  PublicActions<Transport, Chain, account>;

// Local blocks come within milliseconds; the library's default of seconds would be most of a fill's time.
const POLLING_INTERVAL_MS = 25;

/** viem's description of a local chain. */
export function describeChain(chainId: number, rpcUrl: string): Chain {
  return defineChain({
    id: chainId,
    name: `Local ${chainId}`,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
}

/** How a client reaches a chain at an RPC URL. */
export function httpTransport(rpcUrl: string): Transport {
  // A busy machine closes idle connections just when they are used again.
  return http(rpcUrl, { retryCount: 3, timeout: 10_000 });
}

/** A client of a chain at an RPC URL, or by another transport to its node. */
export function chainClient<account extends Account | undefined = undefined>(
  chainId: number,
  rpcUrl: string,
  account?: account,
  transport: Transport = httpTransport(rpcUrl),
): ChainClient<account> {
  return createClient({
    ...(account === undefined ? {} : { account }),
    chain: describeChain(chainId, rpcUrl),
    transport,
    pollingInterval: POLLING_INTERVAL_MS,
    cacheTime: 0,
  }).extend(publicActions) as ChainClient<account>;
}
