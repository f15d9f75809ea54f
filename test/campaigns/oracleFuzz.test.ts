import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { expect } from "chai";

import { openForeignNode } from "../../packages/crosscall/src/localnet/devchain/foreignNode.ts";
import type { ChainConfig } from "../../packages/oracle/src/chainFiles.ts";
import type { OracleConfiguration } from "../../packages/oracle/src/config/loadConfiguration.ts";
import type { Chance } from "../integration/support/lyingRpc.ts";
import {
  ask,
  CHAIN,
  ORACLE_CONTRACT,
  ORACLE_KEY,
  type OracleNetwork,
  startOracleNetwork,
  startTestOracle,
} from "../integration/support/oracleNetwork.ts";
import { startAnvil, stopPrograms } from "../integration/support/processes.ts";
import { type HostileRequest, hostileRequest, LIAR, startHostileServer, validBodies } from "./oracleFuzz/hostile.ts";
import type { Sample } from "./oracleFuzz/process.ts";
import type { TestServer } from "../support/httpServer.ts";

/** `npm run fuzz:oracle` uses another seed, more requests, and limits the event loop delay. */
const SEED = Number(process.env.CROSSCALL_FUZZ_SEED ?? 20_261_125);
const RUNS = Number(process.env.CROSSCALL_FUZZ_RUNS ?? 2_000);
const MAX_DELAY_MS = Number(process.env.CROSSCALL_FUZZ_MAX_DELAY_MS ?? Infinity);

const CONCURRENCY = 8;
const SAMPLES = 20;
const MEGABYTE = 1024 * 1024;

/** Allowed growth from the second to the last quarter of a run. Caches fill up and the heap is not compacted. */
const MARGINS = { heapBytes: 24 * MEGABYTE, rssBytes: 96 * MEGABYTE } as const;

/**
 * Failures that are expected from the endpoints and from the hub stand-in, whose contracts return one word for each
 * call.
 */
const EXPECTED_FAILURES =
  /^(?:CallRevertedError|RpcError|InvalidStateError|AbiDecoding\w+Error|PositionOutOfBoundsError): /u;

const STATUSES: readonly number[] = [200, 400, 404, 413, 415, 500];

/** Returns a generator of numbers in [0, 1) for one request of a run (mulberry32). */
function chanceOf(seed: number, index: number): Chance {
  let state = (Math.imul(seed, 2_654_435_761) + Math.imul(index, 40_503)) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe("the oracle with hostile requests", () => {
  let network: OracleNetwork;
  let bodies: Readonly<Record<string, object>>;
  let servers: readonly TestServer[];
  let oracle: ChildProcess;
  let url: string;

  before(async () => {
    const anvil = await startAnvil(31_337);
    network = await startOracleNetwork(() => openForeignNode(anvil.ready));
    {
      await using honest = await startTestOracle(network);
      bodies = await validBodies(network, honest);
    }
    const headers = { "content-type": "application/json" };
    const post = async (target: string, body: string): Promise<string> =>
      (await fetch(target, { method: "POST", headers, body })).text();
    servers = [
      await startHostileServer(chanceOf(SEED, -1), (body) => post(anvil.ready, body)),
      await startHostileServer(chanceOf(SEED, -2), (body, path) => post(`${url}${path}`, body)),
    ];
    const [liar, peer] = servers;
    const chain: ChainConfig = {
      id: CHAIN,
      vmType: "ethereum-vm",
      httpRpcUrl: anvil.ready,
      depository: network.contracts.depository,
      additionalData: { finalizationBlocks: 0, finalizationTime: 0 },
    };
    const configuration: OracleConfiguration = {
      settings: {
        environment: "test",
        signing: { module: "raw-private-key", privateKey: ORACLE_KEY },
        apiKeys: undefined,
        peers: [{ baseUrl: peer!.url, apiKey: "k" }],
        peerTimeoutMs: 2_000,
        signers: undefined,
        signersThreshold: 0,
        port: 0,
        workers: 1,
        rateLimit: { max: 1_000_000_000, windowMs: 1_000 },
        version: undefined,
      },
      chains: [chain, { ...chain, id: LIAR, httpRpcUrl: liar!.url }],
      hub: {
        id: "relay",
        evmChainId: 31_337,
        httpRpcUrl: anvil.ready,
        oracleAddress: ORACLE_CONTRACT,
        oracleVersion: "2",
        genericMappingAddress: ORACLE_CONTRACT,
        allocatorAddress: ORACLE_CONTRACT,
        depositAddressManagerAddress: ORACLE_CONTRACT,
        executorAddress: ORACLE_CONTRACT,
        auroraHttpRpcUrl: anvil.ready,
        auroraEvmChainId: 31_337,
        auroraAllocatorAddress: ORACLE_CONTRACT,
        auroraAllocatorSpenderAddress: ORACLE_CONTRACT,
      },
    };
    const script = fileURLToPath(new URL("./oracleFuzz/process.ts", import.meta.url));
    oracle = fork(script, [JSON.stringify(configuration)], { execArgv: ["--expose-gc"] });
    [{ url }] = (await once(oracle, "message")) as [{ url: string }];
  });
  after(async () => {
    oracle.disconnect();
    await once(oracle, "exit");
    await Promise.all(servers.map((server) => server.close()));
    await network.close();
    await stopPrograms();
  });

  const sample = async (): Promise<Sample> => {
    oracle.send("sample");
    const [taken] = (await once(oracle, "message")) as [Sample];
    return taken;
  };

  it("returns a documented status for each request, limits its memory and delay, and still attests", async () => {
    const { hostname, port } = new URL(url);
    const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
    const send = async ({ method, path, headers, body }: HostileRequest): Promise<[number, string]> => {
      const outgoing = request({ agent, hostname, port, method, path, headers });
      const answered = once(outgoing, "response");
      outgoing.end(body);
      const [response] = (await answered) as [Parameters<typeof text>[0] & { statusCode: number }];
      return [response.statusCode, await text(response)];
    };
    const shown = (hostile: HostileRequest, index: number): string => {
      const { method, path, body } = hostile;
      return `seed ${SEED}, request ${index}: ${method} ${path} ${body.length} characters ${body.slice(0, 4_000)}`;
    };

    const counts = new Map<number, number>();
    const check = async (index: number): Promise<void> => {
      const hostile = hostileRequest(bodies, chanceOf(SEED, index));
      const [status, answer] = await send(hostile).catch((error: unknown): [number, string] => {
        // The oracle closes the connection before it receives the whole body.
        if (hostile.body.length > MEGABYTE) return [413, "{}"];
        throw new Error(shown(hostile, index), { cause: error });
      });
      counts.set(status, (counts.get(status) ?? 0) + 1);
      if (!STATUSES.includes(status)) throw new Error(`status ${status}: ${shown(hostile, index)}`);
      if (hostile.path === "/metrics") return;
      try {
        JSON.parse(answer);
      } catch {
        throw new Error(`the response to ${shown(hostile, index)} is not JSON: ${answer.slice(0, 500)}`);
      }
    };

    const samples: Sample[] = [];
    const size = Math.ceil(RUNS / SAMPLES);
    const started = performance.now();
    for (let first = 0; first < RUNS; first += size) {
      const last = Math.min(first + size, RUNS);
      let next = first;
      const work = async (): Promise<void> => {
        while (next < last) await check(next++);
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, work));
      const taken = await sample();
      const strange = taken.failures.filter((failure) => !EXPECTED_FAILURES.test(failure));
      if (strange.length > 0) {
        throw new Error(`seed ${SEED}, requests ${first} to ${last}: ${[...new Set(strange)].slice(0, 5).join("\n")}`);
      }
      samples.push(taken);
    }
    agent.destroy();
    const { status, body } = await ask(
      { url },
      "/attestations/depository-deposits/v1",
      bodies["depository-deposits/v1"],
    );
    expect([status, "execution" in body]).to.deep.equal([200, true]);

    const quarter = (index: number): readonly Sample[] =>
      samples.slice(index * (SAMPLES / 4), (index + 1) * (SAMPLES / 4));
    const highest = (of: readonly Sample[], field: keyof Omit<Sample, "failures">): number =>
      Math.max(...of.map((each) => each[field]));
    const inMegabytes = (field: "heapBytes" | "rssBytes"): string =>
      [1, 3].map((index) => (highest(quarter(index), field) / MEGABYTE).toFixed(0)).join(" -> ");
    const delay = highest(samples, "longestDelayMs");
    console.log(
      [
        `Seed: ${SEED}; ${RUNS} requests in ${((performance.now() - started) / 1000).toFixed(0)} s`,
        `Statuses: ${[...counts]
          .toSorted(([a], [b]) => a - b)
          .map(([code, count]) => `${code}: ${count}`)
          .join(", ")}`,
        `Heap (MB, second and last quarter): ${inMegabytes("heapBytes")}; RSS: ${inMegabytes("rssBytes")}`,
        `Longest event loop delay: ${delay.toFixed(0)} ms`,
      ].join("\n"),
    );
    for (const field of ["heapBytes", "rssBytes"] as const) {
      expect(highest(quarter(3), field), field).to.be.lessThan(highest(quarter(1), field) + MARGINS[field]);
    }
    expect(delay).to.be.at.most(MAX_DELAY_MS);
  }).timeout(120_000 + RUNS * 100);
});
