import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

import { numberToHex } from "viem";

import { throwIfAborted } from "../../sdk/src/core/abort.ts";

/** Result of one kind of load. */
export interface Load {
  readonly deposits: "distinct" | "repeated";
  readonly connections: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of the oracle's process per attestation. */
  readonly cpuMs: number;
}

/** The measured processes. */
export interface Bench {
  readonly rpcUrl: string;
  readonly oracleUrl: string;
  readonly oracle: ChildProcess;
  close(): void;
}

/** Starts a node and an oracle, each in a separate process. */
export async function startBench(): Promise<Bench> {
  const node = fork(pathOf("./standInNode.ts"));
  const [address] = (await once(node, "message")) as [AddressInfo];
  const rpcUrl = `http://127.0.0.1:${address.port}`;
  const oracle = fork(pathOf("./oracleProcess.ts"), [rpcUrl]);
  const [{ url }] = (await once(oracle, "message")) as [{ url: string }];
  return {
    rpcUrl,
    oracle,
    oracleUrl: url,
    close() {
      oracle.disconnect();
      node.disconnect();
    },
  };
}

let nextDeposit = 1_000;

/** Requests attestations of deposits over a number of connections, for a duration. */
export async function measureLoad(
  { oracle, oracleUrl }: Bench,
  { deposits, connections }: Pick<Load, "connections" | "deposits">,
  durationMs: number,
  signal: AbortSignal,
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  const cpuBefore = await cpuOf(oracle);
  const start = performance.now();
  const loop = async (): Promise<void> => {
    while (performance.now() - start < durationMs) {
      throwIfAborted(signal, "the benchmark");
      const sentAt = performance.now();
      await attest(agent, oracleUrl, deposits === "distinct" ? nextDeposit++ : 1);
      times.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
  const elapsedMs = performance.now() - start;
  const cpuMs = ((await cpuOf(oracle)) - cpuBefore) / 1000 / times.length;
  agent.destroy();
  const sorted = times.toSorted((a, b) => a - b);
  const quantile = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return {
    deposits,
    connections,
    cpuMs,
    perSecond: (times.length * 1000) / elapsedMs,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
  };
}

function attest(agent: Agent, oracleUrl: string, deposit: number): Promise<void> {
  const body = JSON.stringify({ chainId: "local", transactionId: numberToHex(deposit, { size: 32 }) });
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": body.length };
    const outgoing = request(
      `${oracleUrl}/attestations/depository-deposits/v1`,
      { agent, method: "POST", headers },
      (response) => {
        let length = 0;
        response.on("data", (chunk: Buffer) => (length += chunk.length));
        response.on("end", () => {
          // An attestation with its signature is longer than any error response.
          if (response.statusCode === 200 && length > 1_000) resolve();
          else reject(new Error(`the oracle returned ${response.statusCode} with ${length} bytes`));
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send("cpu");
  const [{ user, system }] = (await once(child, "message")) as [NodeJS.CpuUsage];
  return user + system;
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
