import * as Type from "typebox";

import { compact, InvalidInputError } from "@crosscall/protocol/core";
import { createServiceClient, type ServiceClient } from "@crosscall/sdk";
import { type ServiceTrust, serviceTrust } from "@crosscall/sdk/verify";
import type { ServiceOptions } from "../../options/commonOptions.ts";
import { chooseKey, endpointsOf, type FoundNetwork, requireNetwork } from "../../options/network.ts";
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
  readonly network: FoundNetwork;
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

  /** @throws {@link InvalidInputError} for `service` if the server has no `--api-url` */
  async select(name?: PlaceName): Promise<Place> {
    const { apiUrl, apiKey: given, rpcUrl } = this.#options;
    const url = apiUrl === "" ? undefined : apiUrl;
    const variable = "CROSSCALL_API_KEY";
    if ((name ?? (url === undefined ? "local" : "service")) === "local") {
      const network = await this.local();
      // The server's key is that of its --api-url.
      const key = chooseKey({ given: url === undefined ? given : undefined, own: network.apiKey, variable, url });
      return toPlace(network, { apiKey: key, trust: (await this.#own.current())?.trust });
    }
    if (url === undefined) {
      throw new InvalidInputError({
        field: "place",
        value: "service",
        reason: "the server has no service",
        hint: "Start the server with --api-url, or pass `local`.",
      });
    }
    const network = requireNetwork(url);
    return toPlace(network, { apiKey: chooseKey({ given, own: network.apiKey, variable, url }), rpcUrl });
  }

  /** Returns the network of this process, or else that of this folder. */
  async local(): Promise<FoundNetwork> {
    const own = await this.#own.current();
    if (own === undefined) return requireNetwork(undefined);
    const { url, apiKey, adminKey, chains, svm } = own;
    const rpcUrls = Object.fromEntries(chains.map(({ id, rpcUrl }) => [String(id), rpcUrl]));
    return { url, apiKey, adminKey, rpcUrls, ...compact({ svmRpcUrl: svm?.rpcUrl }), isOwn: true };
  }
}

interface PlaceAccess {
  readonly apiKey: string | undefined;
  /** The server's endpoints; by default, those of the network. */
  readonly rpcUrl?: readonly string[] | undefined;
  readonly trust?: ServiceTrust | undefined;
}

function toPlace(network: FoundNetwork, { apiKey, rpcUrl = [], trust = serviceTrust }: PlaceAccess): Place {
  const { url } = network;
  const shownUrls = rpcUrl.length === 0 ? network.rpcUrls : {};
  return {
    network,
    client: () => createServiceClient({ baseUrl: url, ...compact({ apiKey }) }),
    rpcUrls: endpointsOf(rpcUrl, network),
    trust,
    hasKey: apiKey !== undefined,
    serviceFlags: ["--api-url", URL.canParse(url) ? new URL(url).origin : "<url>"],
    rpcFlags: (chainId) => ["--rpc-url", `${chainId ?? "<id>"}=${shownUrls[String(chainId)] ?? "<url>"}`],
  };
}

/** Returns the endpoint of a chain, or undefined if the place has none. */
export function endpointOf({ rpcUrls }: Place, chainId: number | undefined): string | undefined {
  const parsed = rpcUrls.map(parseRpcUrl);
  const named = parsed.find(({ id }) => id !== undefined && id === chainId);
  return (named ?? parsed.find(({ id }) => id === undefined))?.url;
}
