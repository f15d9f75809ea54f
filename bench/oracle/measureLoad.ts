import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import type { Hex } from "viem";

import { throwIfAborted } from "../../packages/protocol/src/core/abort.ts";
import { type Connection, openConnection } from "./connection.ts";
import type { BenchNode } from "./nodes.ts";

/**
 * The oracle limits requests without a key, which several workers count in the first process. Callers with many
 * attestations use a key.
 */
export const BENCH_KEY = "bench";

const HEADERS = `host: bench\r\nx-api-key: ${BENCH_KEY}`;

/** Minimum length of an attestation with its signature; error responses are shorter. */
const ATTESTATION_BYTES = 1_000;

export type Deposits = "distinct" | "repeated";

/** Requests sent over a number of connections. */
export interface Load {
  readonly deposits: Deposits;
  readonly connections: number;
}

/** Result of one run. */
export interface Run {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time per request, over all processes of the server. */
  readonly cpuMs: number;
}

/** An oracle, or the empty route, in separate processes. */
export interface BenchServer {
  readonly url: string;
  close(): void;
}

/** Starts an oracle that reads from a node. */
export function startBenchOracle({ rpcUrl }: BenchNode, workers: number): Promise<BenchServer> {
  return startServer("oracleProcess.ts", [rpcUrl, String(workers)]);
}

/** Starts a server with an empty attestation route. */
export function startEmptyRoute(): Promise<BenchServer> {
  return startServer("emptyRouteProcess.ts", []);
}

async function startServer(file: string, args: readonly string[]): Promise<BenchServer> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args);
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  return { url, close: () => child.disconnect() };
}

export interface RunOptions extends Load {
  readonly requests: number;
  readonly signal: AbortSignal;
}

/** Requests attestations: the given number, or one for each deposit on the node. */
export async function measureLoad(
  node: BenchNode,
  { url }: BenchServer,
  { deposits, connections, requests, signal }: RunOptions,
): Promise<Run> {
  const { port } = new URL(url);
  const opened = await Promise.all(Array.from({ length: connections }, () => openConnection(Number(port))));
  const repeated = deposits === "repeated" ? toAttestRequest(node.first) : undefined;
  // Each worker has separate caches.
  if (repeated !== undefined) await Promise.all(opened.map((each) => each.exchange(repeated, ATTESTATION_BYTES)));
  const times: number[] = [];
  const cpuBefore = await cpuOf(url);
  const start = performance.now();
  let begun = 0;
  const loop = async (connection: Connection): Promise<void> => {
    while (begun < requests) {
      throwIfAborted(signal, "the benchmark");
      begun += 1;
      const sentAt = performance.now();
      const transactionId = repeated === undefined ? node.next() : node.first;
      if (transactionId === undefined) return;
      await connection.exchange(repeated ?? toAttestRequest(transactionId), ATTESTATION_BYTES);
      times.push(performance.now() - sentAt);
    }
  };
  await Promise.all(opened.map(loop));
  const elapsedMs = performance.now() - start;
  const cpuMs = (((await cpuOf(url)) - cpuBefore) * 1000) / times.length;
  for (const each of opened) each.close();
  const sorted = times.toSorted((a, b) => a - b);
  const quantile = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return {
    cpuMs,
    perSecond: (times.length * 1000) / elapsedMs,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
  };
}

function toAttestRequest(transactionId: Hex): string {
  const body = JSON.stringify({ chainId: "local", transactionId });
  const headers = `${HEADERS}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
  return `POST /attestations/depository-deposits/v1 HTTP/1.1\r\n${headers}\r\n\r\n${body}`;
}

/** Returns the CPU time of all processes of the server, in seconds. */
async function cpuOf(url: string): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { "x-api-key": BENCH_KEY } });
  return Number(/^process_cpu_seconds_total (\S+)$/mu.exec(await response.text())?.[1]);
}
