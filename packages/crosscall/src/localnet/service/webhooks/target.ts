import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

export type Resolve = (hostname: string) => Promise<readonly HostAddress[]>;

export interface TargetPolicy {
  /** Names and addresses in addition to loopback, in lower case. */
  readonly allowHosts: ReadonlySet<string>;
  readonly resolve: Resolve;
}

/** The checked address. The connection uses it even if the name's DNS record changes. */
export interface Target {
  readonly url: URL;
  readonly address: HostAddress;
}

export class TargetRejection extends Error {}

/** Resolves a name to all of its addresses. */
export const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true });

const URL_MAX_LENGTH = 2_048;

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/** Addresses that are never allowed: aliases of this host, link-local addresses, metadata services and multicast. */
const NEVER = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["100.100.100.200", 32],
  ["169.254.0.0", 16],
  ["224.0.0.0", 3],
] as const) {
  NEVER.addSubnet(network, prefix, "ipv4");
}
for (const [network, prefix] of [
  ["::", 128],
  // IPv6 forms of IPv4 addresses.
  ["64:ff9b::", 96],
  ["2001::", 32],
  ["2002::", 16],
  ["fd00:ec2::254", 128],
  ["fe80::", 10],
  ["ff00::", 8],
] as const) {
  NEVER.addSubnet(network, prefix, "ipv6");
}

/** @throws {@link TargetRejection} if the URL is not plain HTTP or HTTPS */
function readTargetUrl(text: string): URL {
  const url = text.length <= URL_MAX_LENGTH && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/u.test(url.protocol)) throw new TargetRejection("must be an HTTP URL");
  if (url.username !== "" || url.password !== "") {
    throw new TargetRejection("must not contain credentials: pass them as a header");
  }
  if (url.hash !== "") throw new TargetRejection("must not contain a fragment");
  return url;
}

/**
 * Checks every address that the name resolves to.
 *
 * @throws {@link TargetRejection} if an address is not allowed, or the name has no address
 */
export async function resolveTarget(text: string, { allowHosts, resolve }: TargetPolicy): Promise<Target> {
  const url = readTargetUrl(text);
  const hostname = url.hostname.replace(/^\[|\]$|\.$/gu, "");
  const addresses = await addressesOf(hostname, resolve);
  const isAllowed = allowHosts.has(hostname);
  for (const { address, family } of addresses) {
    const kind = family === 6 ? "ipv6" : "ipv4";
    if (LOOPBACK.check(address, kind)) continue;
    if (!isAllowed) throw new TargetRejection(`${hostname} is neither on loopback nor an allowed host`);
    if (NEVER.check(address, kind))
      throw new TargetRejection(`${hostname} resolves to ${address}, which webhooks must not call`);
  }
  const [first] = addresses;
  if (first === undefined) throw new TargetRejection(`${hostname} has no address`);
  return { url, address: first };
}

async function addressesOf(hostname: string, resolve: Resolve): Promise<readonly HostAddress[]> {
  const family = isIP(hostname);
  if (family !== 0) return [{ address: hostname, family }];
  try {
    return await resolve(hostname);
  } catch {
    throw new TargetRejection(`the name ${hostname} cannot be resolved`);
  }
}
