import { type Client, createClient, http, isHex } from "viem";
import { getChainId } from "viem/actions";

import { describeChain } from "../../localnet/devchain/chainClient.ts";
import { ProviderError } from "./providerError.ts";

/** A chain that a wallet can use. */
export interface WalletChain {
  readonly id: number;
  readonly rpcUrl: string;
}

/** The chains of a wallet, one of which is active. */
export interface WalletChains {
  readonly activeId: number;
  has(chainId: number): boolean;
  /** Returns the client of a known chain; of the active chain by default. */
  client(chainId?: number): Client;
  activate(chainId: number): void;
  /** Adds the chain from a page's request (EIP-3085). */
  add(parameter: unknown): Promise<number>;
}

/** @param knownIds ids of the chains that the wallet knows at the start */
export function createWalletChains(chains: readonly WalletChain[], activeId: number): WalletChains {
  const clients = new Map(chains.map(({ id, rpcUrl }) => [id, toClient(id, rpcUrl)]));
  let active = activeId;
  return {
    get activeId() {
      return active;
    },
    has: (chainId) => clients.has(chainId),
    client(chainId = active) {
      const client = clients.get(chainId);
      if (client === undefined) throw new ProviderError("unknownChain", `Unrecognized chain ID ${chainId}.`);
      return client;
    },
    activate(chainId) {
      active = chainId;
    },
    async add(parameter) {
      const { chainId, rpcUrls } = (parameter ?? {}) as { readonly chainId?: unknown; readonly rpcUrls?: unknown };
      const id = toChainId(chainId);
      if (clients.has(id)) return id;
      const rpcUrl: unknown = Array.isArray(rpcUrls) ? rpcUrls[0] : undefined;
      if (typeof rpcUrl !== "string") throw new ProviderError("invalidParams", "rpcUrls must have a URL.");
      const client = toClient(id, rpcUrl);
      // Checks the chain id, because a wallet must not trust the page's claim about a URL.
      const actual = await getChainId(client);
      if (actual !== id) throw new ProviderError("invalidParams", `${rpcUrl} serves chain ${actual}, not ${id}.`);
      clients.set(id, client);
      return id;
    },
  };
}

/** Reads the hexadecimal chain id of a request. */
export function toChainId(value: unknown): number {
  if (!isHex(value)) throw new ProviderError("invalidParams", "chainId must be a hexadecimal string.");
  return Number(value);
}

function toClient(id: number, rpcUrl: string): Client {
  // Without retries, errors reach the page as the node sent them.
  return createClient({ chain: describeChain(id, rpcUrl), transport: http(rpcUrl, { retryCount: 0 }) });
}

/** Prefixes of the methods that the chain's node handles. */
const NODE_METHODS = /^(?:eth|net|web3)_/u;

/** Prefixes of the methods that a wallet must not forward, because the node's own accounts would sign. */
const SIGNING_METHODS = "eth_sign";

/** A request from a page to the wallet. */
export interface WalletRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Forwards methods that the wallet does not handle to the chain's node. */
export async function askNode(client: Client, { method, params }: WalletRequest): Promise<unknown> {
  if (!NODE_METHODS.test(method) || method.startsWith(SIGNING_METHODS)) {
    throw new ProviderError("unsupportedMethod", `The wallet does not support ${method}.`);
  }
  const request = client.request as (call: WalletRequest) => Promise<unknown>;
  return request({ method, params });
}
