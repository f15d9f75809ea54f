import * as Type from "typebox";

import { createServiceClient, type ServiceClient } from "@crosscall/sdk";
import { type ServiceTrust, serviceTrust } from "@crosscall/sdk/verify";
import type { AdminOptions } from "../../admin/adminOptions.ts";
import { LOCAL_API_KEY } from "../../localnet/defaults.ts";
import type { ServiceOptions } from "../../options/commonOptions.ts";
import { openService, requireNetwork } from "../../options/network.ts";
import { parseRpcUrl } from "../../options/target.ts";
import type { OwnNetwork } from "./ownNetwork.ts";

export interface PlaceOptions extends ServiceOptions {
  readonly rpcUrl?: readonly string[];
}

const PLACES = ["service", "local"] as const;

/** Input field of tools that call a service or chains. */
export const placeField = {
  place: Type.Optional(
    Type.Union(
      PLACES.map((place) => Type.Literal(place)),
      {
        description:
          "service: the server's --api-url and --rpc-url; local: the local network. Default: service if --api-url is given, otherwise local.",
      },
    ),
  ),
};

export type PlaceName = (typeof PLACES)[number];

/** A service with its chains. Keys and URLs of nodes stay in this process. */
export interface Place {
  readonly client: () => ServiceClient;
  /** Endpoints as `id=url`. */
  readonly rpcUrls: readonly string[];
  readonly trust: ServiceTrust;
  /** Whether the client sends an API key. */
  readonly hasKey: boolean;
  /** Options that select the place in a command. */
  readonly serviceFlags: readonly string[];
  /** Options with the endpoint of a chain in a command. The URL of a live node is omitted, because it can contain a key. */
  readonly rpcFlags: (chainId: number | undefined) => readonly string[];
}

/** Selects the service and the chains that a tool uses. */
export class Places {
  readonly #options: PlaceOptions;
  readonly #own: OwnNetwork;

  constructor(options: PlaceOptions, own: OwnNetwork) {
    this.#options = options;
    this.#own = own;
  }

  async select(name?: PlaceName): Promise<Place> {
    const hasService = this.#options.apiUrl !== undefined && this.#options.apiUrl !== "";
    return (name ?? (hasService ? "service" : "local")) === "service" ? servicePlace(this.#options) : this.#local();
  }

  /** Returns the address and key of the local network's admin API. */
  async admin(): Promise<AdminOptions & { readonly url: string }> {
    const own = await this.#own.current();
    return own === undefined ? requireNetwork(undefined) : { url: own.url, adminKey: own.adminKey };
  }

  async #local(): Promise<Place> {
    const own = await this.#own.current();
    if (own !== undefined) {
      return localPlace(own.url, Object.fromEntries(own.chains.map(({ id, rpcUrl }) => [id, rpcUrl])), own.trust);
    }
    const { url, rpcUrls } = requireNetwork(undefined);
    return localPlace(url, rpcUrls, serviceTrust);
  }
}

function servicePlace(options: PlaceOptions): Place {
  const { apiUrl = "", apiKey = "", rpcUrl = [] } = options;
  return {
    client: () => openService(options),
    rpcUrls: rpcUrl,
    trust: serviceTrust,
    hasKey: apiKey !== "",
    serviceFlags: ["--api-url", URL.canParse(apiUrl) ? new URL(apiUrl).origin : "<url>"],
    rpcFlags: (chainId) => ["--rpc-url", `${chainId ?? "<id>"}=<url>`],
  };
}

function localPlace(url: string, rpcUrls: Readonly<Record<string, string>>, trust: ServiceTrust): Place {
  return {
    client: () => createServiceClient({ baseUrl: url, apiKey: LOCAL_API_KEY }),
    rpcUrls: Object.entries(rpcUrls).map(([id, rpcUrl]) => `${id}=${rpcUrl}`),
    trust,
    hasKey: true,
    serviceFlags: ["--api-url", url, "--api-key", LOCAL_API_KEY],
    rpcFlags: (chainId) => ["--rpc-url", `${chainId ?? "<id>"}=${rpcUrls[String(chainId)] ?? "<url>"}`],
  };
}

/** Returns the endpoint of a chain, or undefined if the place has none. */
export function endpointOf({ rpcUrls }: Place, chainId: number | undefined): string | undefined {
  const parsed = rpcUrls.map(parseRpcUrl);
  const named = parsed.find(({ id }) => id !== undefined && id === chainId);
  return (named ?? parsed.find(({ id }) => id === undefined))?.url;
}
