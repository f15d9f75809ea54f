import { findNetwork, type FoundNetwork } from "../../options/network.ts";
import type { ReplayOptions } from "./replayOptions.ts";

type Options = Pick<ReplayOptions, "apiUrl" | "rpcUrl"> & { readonly node?: string };

/**
 * Returns the network of the service. This folder's network is the default only without endpoints, because a given
 * endpoint can belong to another network.
 */
export function networkOf({ apiUrl, rpcUrl, node }: Options): FoundNetwork | undefined {
  const hasEndpoints = rpcUrl !== undefined || node !== undefined;
  return hasEndpoints && (apiUrl === undefined || apiUrl === "") ? undefined : findNetwork(apiUrl);
}
