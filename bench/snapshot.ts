// Time to save, load and fork a network, compared with starting a new one. `npm run bench:snapshot`, with `-- --help`
// for options.
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createWalletClient, http, parseEther, publicActions, zeroAddress } from "viem";

import { createServiceClient, executeSteps, getQuote } from "../packages/sdk/src/index.ts";
import type { Stages } from "../packages/crosscall/src/terminal/stages.ts";
import { describeChain } from "../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { loadSnapshot, type Localnet, localnet, saveSnapshot } from "../packages/crosscall/src/localnet/index.ts";
import { type Measured, runBenchmark } from "./runBenchmark.ts";
import { toTable } from "./table.ts";

/** Numbers of filled requests in the measured networks. */
const REQUESTS = [1, 25];

const RUNS = 3;

const SAVE_BAR_MS = 2_000;
const LOAD_BAR_MS = 3_000;

interface Row {
  readonly requests: number;
  readonly startMs: number;
  readonly saveMs: number;
  readonly loadMs: number;
  readonly forkMs: number;
  readonly bytes: number;
}

process.exitCode = await runBenchmark({
  name: "bench:snapshot",
  description: "Measure the time to save, load and fork a network, compared with starting a new one.",
  failure: `Exits with 1 if saving takes ${SAVE_BAR_MS} ms or loading ${LOAD_BAR_MS} ms with one request.`,
  measure,
});

async function measure(stages: Stages, signal: AbortSignal): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), "crosscall-bench-"));
  try {
    // The first network in a process also loads the code.
    await stages.run("Start a network", async () => (await localnet()).close());
    const rows: Row[] = [];
    for (const requests of REQUESTS) {
      rows.push(
        await stages.run(`Save and load a network with ${requests} filled`, () =>
          measureNetwork(join(folder, String(requests)), requests, signal),
        ),
      );
    }
    const ok = rows[0] !== undefined && rows[0].saveMs < SAVE_BAR_MS && rows[0].loadMs < LOAD_BAR_MS;
    return { ok, json: { ok, saveBarMs: SAVE_BAR_MS, loadBarMs: LOAD_BAR_MS, rows }, text: toText(rows) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureNetwork(file: string, requests: number, signal: AbortSignal): Promise<Row> {
  const startMs = await least(async () => (await localnet()).close());
  await using network = await localnet();
  for (let made = 0; made < requests; ++made) {
    signal.throwIfAborted();
    await fill(network);
  }
  const saveMs = await least(async () => saveSnapshot(file, await network.snapshot()));
  const loadMs = await least(async () => (await localnet({ from: await loadSnapshot(file) })).close());
  const forkMs = await least(async () => (await network.fork()).close());
  return { requests, startMs, saveMs, loadMs, forkMs, bytes: (await stat(file)).size };
}

async function fill({ url, apiKey, chains: [origin, destination], accounts: { user } }: Localnet): Promise<void> {
  const service = createServiceClient({ baseUrl: url, apiKey });
  const quote = await getQuote(service, {
    user: user.address,
    originChainId: origin.id,
    destinationChainId: destination.id,
    originCurrency: zeroAddress,
    destinationCurrency: destination.contracts.dollar,
    tradeType: "EXACT_INPUT",
    amount: parseEther("0.01").toString(),
  });
  const chain = describeChain(origin.id, origin.rpcUrl);
  const wallet = createWalletClient({ account: user, chain, transport: http() }).extend(publicActions);
  await executeSteps(service, { quote, wallet });
}

/** Returns the fastest of several runs in whole milliseconds, because other work on the machine only adds time. */
async function least(work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; ++run) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return Math.round(Math.min(...times));
}

function toText(rows: readonly Row[]): string {
  return toTable([
    ["filled requests", "start", "save", "load", "load to start", "fork", "file"],
    ...rows.map(({ requests, startMs, saveMs, loadMs, forkMs, bytes }) => [
      String(requests),
      `${startMs} ms`,
      `${saveMs} ms`,
      `${loadMs} ms`,
      (loadMs / startMs).toFixed(2),
      `${forkMs} ms`,
      `${Math.round(bytes / 1_000)} kB`,
    ]),
  ]);
}
