import { createServiceClient, getChains } from "@crosscall/sdk";
import { type Address, defineChain } from "viem";
import { createConfig, http } from "wagmi";

/** Contents of public/config.json. By default, supplies to Aave v3 on Base, paid on OP Mainnet. */
export interface AppConfig {
  readonly serviceUrl: string;
  /** Endpoint of your backend that returns the service's access token, which v3 quotes need. */
  readonly tokenUrl?: string;
  readonly originChainId: number;
  readonly destinationChainId: number;
  readonly asset: Address;
  readonly pool: Address;
  readonly aToken: Address;
}

export type Setup = Awaited<ReturnType<typeof setUp>>;

/** Loads the configuration and the chain of the payment. */
export async function setUp() {
  const response = await fetch("/config.json");
  const config = (await response.json()) as AppConfig;
  const { serviceUrl, tokenUrl } = config;
  const client = createServiceClient({
    baseUrl: serviceUrl,
    ...(tokenUrl === undefined ? {} : { accessToken: () => requestToken(tokenUrl) }),
  });
  const chains = await getChains(client);
  const entry = chains.find(({ id }) => id === config.originChainId);
  if (!entry?.httpRpcUrl) throw new Error(`The service does not support chain ${config.originChainId}.`);
  const origin = defineChain({
    id: config.originChainId,
    name: entry.displayName ?? `Chain ${config.originChainId}`,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [entry.httpRpcUrl] } },
  });
  // The browser announces its wallets (EIP-6963), so wagmi needs no connectors.
  const wagmi = createConfig({ chains: [origin], transports: { [origin.id]: http() } });
  return { config, client, origin, wagmi };
}

async function requestToken(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} returned status ${response.status}.`);
  return response.text();
}
