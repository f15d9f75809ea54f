// Cost of a local network: CPU while idle and per status poll, statements and chain requests per request, and time per
// request with and without open deposit addresses. Also the times of a network that runs Solana. `npm run bench:network`, with `-- --help` for options.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { InvalidArgumentError, Option } from "commander";

import { createServiceClient, getStatus } from "../packages/sdk/src/index.ts";
import type { Stages } from "../packages/crosscall/src/terminal/stages.ts";
import { type Localnet, localnet } from "../packages/crosscall/src/localnet/index.ts";
import { openStore } from "../packages/crosscall/src/localnet/store/store.ts";
import { countWork } from "../test/support/countWork.ts";
import { addWatchedAddresses } from "../test/support/watchedAddresses.ts";
import { depositOnce } from "./network/depositOnce.ts";
import { measureSolana } from "./network/measureSolana.ts";
import { type Measured, runBenchmark } from "./runBenchmark.ts";
import { toTable } from "./table.ts";

const IDLE_CORE_BAR = 0.01;
const POLL_BAR_MS = 1.5;
const STATEMENTS_BAR = 25;
const RPC_CALLS_BAR = 10;

const IDLE_SECONDS = 20;
/** Warm-up time: the database compiles its program and maintains its queues for the first time. */
const WARM_MS = 35_000;
const SETTLE_MS = 5_000;
const WARM_POLLS = 1_000;
const POLLS = 3_000;
const REQUESTS = 10;

const ADDRESSES = 10_000;
/** Maximum ratio of the time per request with `ADDRESSES` open addresses to the time without. */
const ADDRESSES_BAR = 1.2;
const TIMED_REQUESTS = 40;
const ROUNDS = 2;

/** Starts of a network with Solana, and of one without. */
const STARTS = 5;

process.exitCode = await runBenchmark({
  name: "bench:network",
  description: "Measure the cost of a local network: idle, per status poll and per request.",
  options: [
    new Option("--only <part>", "measure only this part").choices(["costs", "solana"]),
    new Option("--seconds <seconds>", "time to measure the idle network").argParser(parseSeconds).default(IDLE_SECONDS),
  ],
  failure: "Exits with 1 if a limit is missed.",
  measure,
});

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds >= 1) return seconds;
  throw new InvalidArgumentError("Use a number of at least 1.");
}

async function measure(stages: Stages, signal: AbortSignal, options: Record<string, unknown>): Promise<Measured> {
  const { only } = options;
  const parts = [
    ...(only === "solana" ? [] : [await measureCosts(stages, signal, options)]),
    ...(only === "costs" ? [] : [await compareSolana(stages, signal)]),
  ];
  return {
    ok: parts.every(({ ok }) => ok),
    json: Object.assign({}, ...parts.map(({ json }) => json)) as object,
    text: parts.map(({ text }) => text).join("\n"),
  };
}

async function compareSolana(stages: Stages, signal: AbortSignal): Promise<Measured> {
  const solana = await stages.run("Compare Solana with an EVM chain", () =>
    measureSolana({
      starts: STARTS,
      warm: REQUESTS,
      requests: TIMED_REQUESTS,
      deposit: (network) => depositOnce(network, signal),
      untilSuccess: (network, requestId) => untilSuccess(network, requestId, signal, 2),
      median,
    }),
  );
  const { startMs, startWithoutMs, firstCallMs, evmMs, svmMs } = solana;
  return {
    ok: true,
    json: { solana },
    text: `${toTable([
      ["median, in ms", "Solana", "EVM only", "ratio"],
      ["start of a network", startMs.toFixed(0), startWithoutMs.toFixed(0), (startMs / startWithoutMs).toFixed(2)],
      ["request to success, by origin", svmMs.toFixed(0), evmMs.toFixed(0), (svmMs / evmMs).toFixed(2)],
    ])}
The first call of Solana's API, which creates the chain, takes ${firstCallMs.toFixed(0)} ms.`,
  };
}

async function measureCosts(
  stages: Stages,
  signal: AbortSignal,
  { seconds }: Record<string, unknown>,
): Promise<Measured> {
  using counter = countWork();
  await using network = await localnet({ limits: "off" });
  const idleCore = await stages.run("Measure the idle network", () => measureIdle(WARM_MS, Number(seconds), signal));
  // The first requests also load code.
  const warm = await stages.run("Fill requests", async () => {
    let requestId = "";
    for (let done = 0; done < REQUESTS; done += 1) requestId = await fill(network, signal);
    return requestId;
  });
  const idleAfterCore = await stages.run("Measure the network after requests", () =>
    measureIdle(SETTLE_MS, Number(seconds), signal),
  );
  counter.take();
  const statements: number[] = [];
  const rpcCalls: number[] = [];
  await stages.run("Count statements and chain calls of requests", async () => {
    for (let done = 0; done < REQUESTS; done += 1) {
      counter.take();
      const requestId = await depositOnce(network, signal);
      // Status polls would be counted too.
      await setTimeout(500, undefined, { signal });
      const work = counter.take();
      await untilSuccess(network, requestId, signal);
      statements.push(work.statements.length);
      rpcCalls.push(work.rpcCalls.length);
    }
  });
  const pollMs = await stages.run("Poll the status of a request", () => measurePolls(network, warm));
  const without: number[] = [];
  const withAddresses: number[] = [];
  await stages.run("Time requests with open deposit addresses", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      without.push(...(await timeRequests(0, signal)));
      withAddresses.push(...(await timeRequests(ADDRESSES, signal)));
    }
  });
  const [withoutMs, withMs] = [median(without), median(withAddresses)];
  const bars = [
    bar("idle, share of a core", IDLE_CORE_BAR, idleCore, 4),
    bar("idle after requests, share of a core", IDLE_CORE_BAR, idleAfterCore, 4),
    bar("status poll, ms of CPU", POLL_BAR_MS, pollMs, 2),
    bar("statements per request", STATEMENTS_BAR, median(statements), 0),
    bar("chain calls per request", RPC_CALLS_BAR, median(rpcCalls), 0),
    bar(
      `time of a request with ${ADDRESSES} open addresses, relative to the time without`,
      ADDRESSES_BAR,
      withMs / withoutMs,
      2,
    ),
  ];
  const ok = bars.every(({ isMet }) => isMet);
  return {
    ok,
    json: { ok, bars, requestMs: { addresses: ADDRESSES, without: withoutMs, with: withMs } },
    text: `${toTable([
      ["measured", "below", "result", ""],
      ...bars.map(({ name, below, measured, digits, isMet }) => [
        name,
        String(below),
        measured.toFixed(digits),
        isMet ? "" : "MISSED",
      ]),
    ])}
A request takes ${withoutMs.toFixed(0)} ms, and ${withMs.toFixed(0)} ms with ${ADDRESSES} open addresses.`,
  };
}

function bar(name: string, below: number, measured: number, digits: number) {
  return { name, below, measured, digits, isMet: measured < below };
}

async function measureIdle(settleMs: number, seconds: number, signal: AbortSignal): Promise<number> {
  await setTimeout(settleMs, undefined, { signal });
  const started = performance.now();
  const before = process.cpuUsage();
  await setTimeout(seconds * 1_000, undefined, { signal });
  return cpuMs(before) / (performance.now() - started);
}

/** Polls from another process, to measure only the service. */
async function measurePolls({ url }: Localnet, requestId: string): Promise<number> {
  const program = fileURLToPath(new URL("network/pollProcess.ts", import.meta.url));
  const poll = async (count: number): Promise<number> => {
    const before = process.cpuUsage();
    const [code] = (await once(
      fork(program, [`${url}/intents/status/v3?requestId=${requestId}`, `${count}`]),
      "exit",
    )) as [number];
    if (code !== 0) throw new Error(`the polling process exited with code ${code}`);
    return cpuMs(before);
  };
  await poll(WARM_POLLS);
  return (await poll(POLLS)) / POLLS;
}

/** Measures the times from quote to success in a separate network, in milliseconds. */
async function timeRequests(addresses: number, signal: AbortSignal): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), "crosscall-bench-"));
  try {
    const store = await openStore({ folder, onError: (error) => console.error(error) });
    await addWatchedAddresses(store, addresses, new Date(Date.now() + 86_400_000));
    await store.close();
    await using network = await localnet({ limits: "off", databaseFolder: folder });
    for (let done = 0; done < REQUESTS; done += 1) await fill(network, signal);
    const times: number[] = [];
    for (let done = 0; done < TIMED_REQUESTS; done += 1) {
      const started = performance.now();
      await fill(network, signal, 2);
      times.push(performance.now() - started);
    }
    return times;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fill(network: Localnet, signal: AbortSignal, pollMs?: number): Promise<string> {
  const requestId = await depositOnce(network, signal);
  await untilSuccess(network, requestId, signal, pollMs);
  return requestId;
}

async function untilSuccess(
  { url, apiKey }: Localnet,
  requestId: string,
  signal: AbortSignal,
  pollMs = 20,
): Promise<void> {
  const client = createServiceClient({ baseUrl: url, apiKey, limits: false });
  while ((await getStatus(client, { requestId, signal })).status !== "success") {
    await setTimeout(pollMs, undefined, { signal });
  }
}

function cpuMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
