import type { Address } from "viem";

import { parseServiceAddress, PERMIT2_ADDRESS } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import { routerGenerationOf } from "@crosscall/protocol/generations";
import { TRUSTED_CHAINS, type TrustedChain } from "./trustedChains.ts";

/** Pinned addresses of the service, by chain id. Addresses from the service itself are never added. */
export type ServiceTrust = Readonly<Record<number, TrustedChain>>;

/**
 * The service's addresses on its chains, and the addresses of local networks on chains 31337 and 31338. Sources: the
 * service's public list of contract addresses and the configuration of its settlement protocol, see
 * `docs/verifying.md`.
 *
 * Add chains with a spread: `{ ...serviceTrust, 424242: { name, depositories, solvers } }`.
 */
export const serviceTrust: ServiceTrust = TRUSTED_CHAINS;

/**
 * Returns the router that the service uses on a chain, which is the newest pinned router. `GET /chains` of a running
 * service lists it as `contracts.erc20Router`.
 *
 * @throws {@link InvalidInputError} for a chain without a known router, or with several builds of the router
 */
export function routerOn(chainId: number): Address {
  const router = newestRouter(serviceTrust[chainId]?.routers);
  if (router !== undefined) return parseServiceAddress(router, "router");
  throw new InvalidInputError({
    field: "chainId",
    value: chainId,
    reason: "the service's router on this chain is unknown",
    hint: "Read contracts.erc20Router from GET /chains.",
  });
}

/** Returns the newest of a chain's pinned routers, or undefined if the chain's build is ambiguous. */
export function newestRouter(routers: readonly string[] = []): string | undefined {
  const versions = new Set(routers.map((router) => routerGenerationOf(router)?.version));
  return versions.size === routers.length ? routers.at(-1) : undefined;
}

export function isTrusted(list: readonly string[] | undefined, address: string): boolean {
  const wanted = address.toLowerCase();
  // Only hex addresses are case-insensitive.
  return (list ?? []).some((one) => one === address || (wanted.startsWith("0x") && one.toLowerCase() === wanted));
}

/** Returns accounts that may be approved on a chain. */
export function spendersOf({ depositories, spenders = [] }: TrustedChain): readonly string[] {
  return [...depositories, ...spenders, PERMIT2_ADDRESS];
}

export function isPermit2(address: string): boolean {
  return isTrusted([PERMIT2_ADDRESS], address);
}
