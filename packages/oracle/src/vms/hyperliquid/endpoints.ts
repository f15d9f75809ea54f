import type { AdditionalData } from "../../chainFiles.ts";
import { RPC_TIMEOUT_MS } from "../../rpc/openChainRpc.ts";
import { createRestEndpoint, fixedHeaders, type RestCall } from "../../rpc/restEndpoint.ts";
import type { RpcEndpoint } from "../../rpc/rpcEndpoint.ts";

const toBody = (type: string, [fields]: readonly unknown[]) => ({ type, ...(fields as object | undefined) });

export function createInfoEndpoint(url: string): RpcEndpoint {
  return createRestEndpoint({
    url,
    timeoutMs: RPC_TIMEOUT_MS,
    toCall: (method, params): RestCall => ({ path: "/info", body: toBody(method, params) }),
  });
}

/** The explorer has its own host. */
export function createExplorerEndpoint(url: string): RpcEndpoint {
  return createRestEndpoint({
    url: explorerHost(url),
    timeoutMs: RPC_TIMEOUT_MS,
    isAbsent: isUnknown,
    toCall: (method, params): RestCall => ({ path: "/explorer", body: toBody(method, params) }),
  });
}

/**
 * A proxy to the explorer with its own limits.
 *
 * @returns undefined without one in the settings
 */
export function createProxyEndpoint(
  url: string,
  { proxyApiUrl, proxyApiKey }: AdditionalData,
): RpcEndpoint | undefined {
  if (proxyApiUrl === undefined) return undefined;
  const target = { url: `${explorerHost(url).replace(/\/$/u, "")}/explorer` };
  return createRestEndpoint({
    url: proxyApiUrl,
    timeoutMs: RPC_TIMEOUT_MS,
    isAbsent: isUnknown,
    credentials: fixedHeaders({ ...target, ...(proxyApiKey === undefined ? {} : { "x-nft-api-key": proxyApiKey }) }),
    toCall: (method, params): RestCall => ({ path: "", body: toBody(method, params) }),
  });
}

export function explorerHost(url: string): string {
  return url.replace("//api.", "//rpc.");
}

/** Explorers report unknown hashes in several ways. */
function isUnknown(status: number, content: unknown): boolean {
  if (status === 404 || content === null) return true;
  const { type, tx, message } = (content ?? {}) as Record<string, unknown>;
  if (type === "txDetails") return tx === null;
  return type === "error" && typeof message === "string" && /not found/iu.test(message);
}
