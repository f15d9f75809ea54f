import * as Type from "typebox";

import { AbortedError, InvalidStateError } from "@crosscall/protocol/core";
import { parseData, parseJson } from "@crosscall/protocol/schema";
import { requireNetwork } from "../../options/network.ts";

/** Displayed fields of `GET /chains`. */
const ChainsSchema = Type.Object({
  chains: Type.Array(
    Type.Object({ id: Type.Integer(), displayName: Type.String(), vmType: Type.String(), httpRpcUrl: Type.String() }),
  ),
});

const TIMEOUT_MS = 10_000;

export interface ChainStatus {
  readonly id: number;
  readonly name: string;
  /** Family of the chain; only chains of the family `evm` have blocks. */
  readonly vmType: string;
  readonly rpcUrl: string;
  /** Number of the latest block; null if the chain has none, or does not respond. */
  readonly blockNumber: number | null;
}

export interface NetworkStatus {
  readonly url: string;
  /** URL of the oracle; known only in the folder where the network was started. */
  readonly oracleUrl?: string;
  readonly chains: readonly ChainStatus[];
  /** Number of requests by status. */
  readonly requests: Readonly<Record<string, number>>;
}

/** @throws {@link InvalidStateError} if no network runs at the URL */
export async function readNetworkStatus(apiUrl: string | undefined, signal: AbortSignal): Promise<NetworkStatus> {
  const { url, oracleUrl } = requireNetwork(apiUrl);
  const [chainsText, metricsText] = await Promise.all([read(url, "/chains", signal), read(url, "/metrics", signal)]);
  const { chains } = parseData(ChainsSchema, parseJson(chainsText), "the response of GET /chains");
  const heads = readMetric(metricsText, "crosscall_chain_head");
  return {
    url,
    ...(oracleUrl === undefined ? {} : { oracleUrl }),
    chains: chains
      // The other chains have no node.
      .filter(({ httpRpcUrl }) => httpRpcUrl !== "")
      .map(({ id, displayName, vmType, httpRpcUrl }) => ({
        id,
        name: displayName,
        vmType,
        rpcUrl: httpRpcUrl,
        blockNumber: heads[String(id)] ?? null,
      })),
    requests: readMetric(metricsText, "crosscall_requests"),
  };
}

async function read(url: string, path: string, signal: AbortSignal): Promise<string> {
  try {
    const response = await fetch(`${url}${path}`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (!response.ok) throw new Error(`GET ${path} returned status ${response.status}`);
    return await response.text();
  } catch (cause) {
    if (signal.aborted) throw new AbortedError({ what: `GET ${path}`, cause });
    throw new InvalidStateError({
      message: `no local network is running at ${url}`,
      hint: "Start one with `crosscall up`, or pass the URL of its service with --api-url.",
      cause,
    });
  }
}

/** Reads the values of a metric, keyed by its only label. */
function readMetric(text: string, name: string): Record<string, number> {
  const lines = text.matchAll(new RegExp(`^${name}\\{\\w+="([^"]*)"\\} (\\S+)$`, "gmu"));
  return Object.fromEntries([...lines].map(([, label = "", value = ""]) => [label, Number(value)]));
}

export function toNetworkStatusText({ url, oracleUrl, chains, requests }: NetworkStatus): string {
  const counts = Object.entries(requests).filter(([, count]) => count > 0);
  const lines = [
    `service   ${url}`,
    ...(oracleUrl === undefined ? [] : [`oracle    ${oracleUrl}`]),
    ...chains.map(
      ({ id, vmType, rpcUrl, blockNumber }) =>
        `chain     ${id}  ${rpcUrl}  ${blockNumber !== null ? `block ${blockNumber}` : vmType === "evm" ? "does not respond" : "simulated"}`,
    ),
    `requests  ${counts.length === 0 ? "none" : counts.map(([status, count]) => `${count} ${status}`).join(", ")}`,
  ];
  return `${lines.join("\n")}\n`;
}
