import { PERMIT2_ADDRESS } from "../chains/serviceAddresses.ts";
import { TRUSTED_CHAINS, type TrustedChain } from "./trustedChains.ts";

/** Pinned addresses of the service, by chain id. What the service itself says is never added to it. */
export type ServiceTrust = Readonly<Record<number, TrustedChain>>;

/**
 * The addresses of the service on its chains, and of local networks on chains 31337 and 31338. Sources: the service's
 * public list of contract addresses and the configuration of its settlement protocol, see `docs/verifying.md`.
 *
 * Add to it with a spread: `{ ...serviceTrust, 424242: { name, depositories, solvers } }`.
 */
export const serviceTrust: ServiceTrust = TRUSTED_CHAINS;

export function isTrusted(list: readonly string[] | undefined, address: string): boolean {
  const wanted = address.toLowerCase();
  // Only hex ignores case.
  return (list ?? []).some((one) => one === address || (wanted.startsWith("0x") && one.toLowerCase() === wanted));
}

/** Accounts that may be approved on a chain. */
export function spendersOf({ depositories, spenders = [] }: TrustedChain): readonly string[] {
  return [...depositories, ...spenders, PERMIT2_ADDRESS];
}

export function isPermit2(address: string): boolean {
  return isTrusted([PERMIT2_ADDRESS], address);
}
