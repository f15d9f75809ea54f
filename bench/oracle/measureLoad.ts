import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";

import type { Hex } from "viem";

import { throwIfAborted } from "../../sdk/src/core/abort.ts";
import type { BenchNode } from "./nodes.ts";

/** `none` requests the list of chains instead: what HTTP costs without an attestation. */
export type Deposits = "distinct" | "repeated" | "none";

/** Result of one kind of load. */
export interface Load {
  readonly node: string;
  readonly deposits: Deposits;
  readonly connections: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of the oracle's process per request. */
  readonly cpuMs: number;
}

/** An oracle in a process of its own. */
export interface BenchOracle {
  readonly url: string;
  readonly child: ChildProcess;
  close(): void;
}

/** Starts an oracle on a node. */
export async function startBenchOracle({ rpcUrl }: BenchNode): Promise<BenchOracle> {
  const child = fork(fileURLToPath(new URL("./oracleProcess.ts", import.meta.url)), [rpcUrl]);
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  return { url, child, close: () => child.disconnect() };
}

export interface LoadOptions {
  readonly deposits: Deposits;
  readonly connections: number;
  readonly durationMs: number;
  /** As many as the node has by default. */
  readonly requests?: number;
  readonly signal: AbortSignal;
}

/** Requests attestations over a number of connections, until the time is over. */
export async function measureLoad(
  node: BenchNode,
  { url, child }: BenchOracle,
  { deposits, connections, durationMs, requests = Infinity, signal }: LoadOptions,
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const repeated = deposits === "repeated" ? node.first : undefined;
  if (repeated !== undefined) await attest(agent, url, repeated);
  const times: number[] = [];
  const cpuBefore = await cpuOf(child);
  const start = performance.now();
  let begun = 0;
  const loop = async (): Promise<void> => {
    while (performance.now() - start < durationMs && begun < requests) {
      throwIfAborted(signal, "the benchmark");
      begun += 1;
      const sentAt = performance.now();
      if (deposits === "none") await readChains(agent, url);
      else {
        const transactionId = repeated ?? node.next();
        if (transactionId === undefined) return;
        await attest(agent, url, transactionId);
      }
      times.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
  const elapsedMs = performance.now() - start;
  const cpuMs = ((await cpuOf(child)) - cpuBefore) / 1000 / times.length;
  agent.destroy();
  const sorted = times.toSorted((a, b) => a - b);
  const quantile = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return {
    node: node.name,
    deposits,
    connections,
    cpuMs,
    perSecond: (times.length * 1000) / elapsedMs,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
  };
}

function readChains(agent: Agent, url: string): Promise<void> {
  return exchange(agent, `${url}/chains/v1`, undefined, 20);
}

function attest(agent: Agent, url: string, transactionId: Hex): Promise<void> {
  const body = JSON.stringify({ chainId: "local", transactionId });
  // An attestation with its signature is longer than any error response.
  return exchange(agent, `${url}/attestations/depository-deposits/v1`, body, 1_000);
}

function exchange(agent: Agent, url: string, body: string | undefined, leastBytes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { "content-type": "application/json", "content-length": body.length };
    const outgoing = request(url, { agent, method: body === undefined ? "GET" : "POST", headers }, (response) => {
      let length = 0;
      response.on("data", (chunk: Buffer) => (length += chunk.length));
      response.on("end", () => {
        if (response.statusCode === 200 && length > leastBytes) resolve();
        else reject(new Error(`the oracle returned ${response.statusCode} with ${length} bytes`));
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send("cpu");
  const [{ user, system }] = (await once(child, "message")) as [NodeJS.CpuUsage];
  return user + system;
}
