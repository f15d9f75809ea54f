import type { ChainConfig } from "../chainFiles.ts";
import { isSameUrl } from "../rpc/httpClient.ts";
import { vmFamilyOf } from "../vms/vmFamilyOf.ts";

/** A setting with the URL of an endpoint. */
interface Endpoint {
  readonly setting: string;
  readonly url: string;
}

/** Two settings with endpoints on the same host, which would count one provider twice. */
interface SharedProvider {
  readonly settings: readonly [string, string];
}

/**
 * Lists the endpoints that count for agreement, with their settings. An explorer that is also the RPC endpoint counts
 * once.
 */
function endpointsOf({ vmType, httpRpcUrl, additionalData }: ChainConfig): readonly Endpoint[] {
  const { rpcUrls = [] } = additionalData;
  const rpc = [
    { setting: "httpRpcUrl", url: httpRpcUrl },
    ...rpcUrls.map((url, index) => ({ setting: `additionalData.rpcUrls[${index}]`, url })),
  ];
  const further = Object.entries(vmFamilyOf(vmType)?.furtherUrls?.(additionalData) ?? {})
    .map(([setting, url]) => ({ setting: `additionalData.${setting}`, url }))
    .filter(({ url }) => !rpc.some((other) => isSameUrl(other.url, url)));
  return [...rpc, ...further];
}

/** @returns the first pair on the same host, if several endpoints of the chain must agree */
export function findSharedProvider(chain: ChainConfig): SharedProvider | undefined {
  if ((chain.additionalData.rpcAgreement ?? 1) <= 1) return undefined;
  const identify = vmFamilyOf(chain.vmType)?.providerUrl ?? ((url: string) => url);
  const seen = new Map<string, string>();
  for (const { setting, url } of endpointsOf(chain)) {
    const provider = providerOf(identify(url));
    const other = seen.get(provider);
    if (other !== undefined) return { settings: [other, setting] };
    seen.set(provider, setting);
  }
  return undefined;
}

export function countEndpoints(chain: ChainConfig): number {
  return endpointsOf(chain).length;
}

/** Names of this machine. A connection to the unspecified address also reaches it. */
const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/u;

/** Host of an IPv4 address that is written as an IPv6 address. */
const MAPPED = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/u;

/**
 * Returns the host, and the port unless it is the default. Ignores credentials, path and query, because they only
 * identify an account.
 */
function providerOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/\.+$/u, "").replace(MAPPED, (_host, high: string, low: string) => {
    return [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]).join(".");
  });
  return `${LOOPBACK.test(host) ? "localhost" : host}:${port}`;
}
