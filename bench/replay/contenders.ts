import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createHardhatRuntimeEnvironment } from "hardhat/hre";

import { chainClient } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import type { Envelope } from "../../packages/crosscall/src/replay/envelope/envelope.ts";
import { type EnvelopeOptions, measureEnvelope } from "../../packages/crosscall/src/replay/envelope/measureEnvelope.ts";
import { openFork } from "../../packages/crosscall/src/replay/fork/openFork.ts";
import { measureRemoteEnvelope } from "../../packages/crosscall/src/replay/replayRemotely.ts";
import { startAnvil } from "../../test/integration/support/processes.ts";
import type { Filled, Job } from "./job.ts";
import { startRawEdr } from "./rawEdr.ts";
import { type Request, fillAndRevert, fillByCall, prepareSolver } from "./rawNode.ts";

/** An approach to fill many amounts on a copy of a chain. */
export interface Contender {
  readonly name: string;
  /** Number of amounts to fill; slow contenders fill only some of them. */
  readonly amounts: (delayMs: number, all: number) => number;
  /** Starts the contender, fills with each amount, and stops it. Calls `onFirst` after the first fill. */
  readonly fill: (job: Job, rpcUrl: string, onFirst: () => void) => Promise<readonly Filled[]>;
}

export const OURS = "crosscall: envelope on a fork";
export const RAW_TRANSACTIONS = "raw EDR: snapshot, send, revert";
export const RAW_CALLS = "raw EDR: eth_call, without gas or output";

/** Gas limit of one call that fills all amounts. */
const CALL_GAS = 1_000_000_000n;

const all: Contender["amounts"] = (_delayMs, count) => count;

export const CONTENDERS: readonly Contender[] = [
  {
    name: OURS,
    amounts: all,
    async fill(job, rpcUrl, onFirst) {
      const fork = await openFork({ rpcUrl, blockNumber: job.blockNumber });
      try {
        return toFilled(await measureEnvelope(fork, job.plan, optionsOf(job, onFirst)));
      } finally {
        await fork.close();
      }
    },
  },
  { name: RAW_TRANSACTIONS, amounts: all, fill: (job, url, onFirst) => onRawEdr(job, url, onFirst, fillAndRevert) },
  { name: RAW_CALLS, amounts: all, fill: (job, url, onFirst) => onRawEdr(job, url, onFirst, fillByCall) },
  {
    name: "crosscall: envelope without a fork, one eth_call",
    amounts: all,
    async fill(job, rpcUrl, onFirst) {
      const options = { ...optionsOf(job, onFirst), rpcUrl, blockNumber: job.blockNumber, callGas: CALL_GAS };
      return toFilled(await measureRemoteEnvelope({ ...job.plan, gas: job.gasLimit }, options));
    },
  },
  {
    name: "anvil fork: snapshot, send, revert",
    amounts: (delayMs, count) => (delayMs === 0 ? Math.min(count, 30) : 5),
    async fill(job, rpcUrl, onFirst) {
      const anvil = await startAnvil(job.plan.chainId, ...anvilOptions(job, rpcUrl));
      try {
        const client = chainClient(job.plan.chainId, anvil.ready);
        const request: Request = (method, params = []) => client.request({ method, params } as never);
        return await fillEach(job, request, "anvil", onFirst, fillAndRevert);
      } finally {
        await anvil.stop("SIGKILL");
      }
    },
  },
  {
    name: "one Hardhat fork per fill",
    amounts: () => 2,
    async fill(job, rpcUrl, onFirst) {
      const cache = await mkdtemp(join(tmpdir(), "crosscall-bench-"));
      try {
        const filled: Filled[] = [];
        for (const amount of job.amounts) {
          const hardhat = await createHardhatRuntimeEnvironment({
            paths: { artifacts: join(cache, "artifacts"), cache },
            networks: {
              fork: {
                type: "edr-simulated",
                chainId: job.plan.chainId,
                hardfork: "cancun",
                forking: { enabled: true, url: rpcUrl, blockNumber: Number(job.blockNumber) },
              },
            },
          });
          const connection = await hardhat.network.create("fork");
          const request: Request = (method, params = []) =>
            connection.provider.request({ method, params: [...params] });
          filled.push(...(await fillEach({ ...job, amounts: [amount] }, request, "hardhat", onFirst, fillAndRevert)));
          await connection.close();
        }
        return filled;
      } finally {
        await rm(cache, { recursive: true, force: true });
      }
    },
  },
];

function anvilOptions({ blockNumber }: Job, rpcUrl: string): readonly string[] {
  return [
    "--fork-url",
    rpcUrl,
    "--fork-block-number",
    blockNumber.toString(),
    "--hardfork",
    "cancun",
    "--no-storage-caching",
  ];
}

async function onRawEdr(
  job: Job,
  rpcUrl: string,
  onFirst: () => void,
  fill: typeof fillAndRevert,
): Promise<readonly Filled[]> {
  const cacheDir = await mkdtemp(join(tmpdir(), "crosscall-bench-"));
  try {
    const request = await startRawEdr({
      url: rpcUrl,
      cacheDir,
      chainId: job.plan.chainId,
      blockNumber: job.blockNumber,
    });
    return await fillEach(job, request, "hardhat", onFirst, fill);
  } finally {
    await rm(cacheDir, { recursive: true, force: true });
  }
}

async function fillEach(
  job: Job,
  request: Request,
  dialect: "hardhat" | "anvil",
  onFirst: () => void,
  fill: typeof fillAndRevert,
): Promise<readonly Filled[]> {
  await prepareSolver(job, request, dialect);
  const filled: Filled[] = [];
  for (const amount of job.amounts) {
    filled.push(await fill(job, request, dialect, amount));
    if (filled.length === 1) onFirst();
  }
  return filled;
}

function optionsOf({ amounts }: Job, onFirst: () => void): EnvelopeOptions {
  let isFirst = true;
  const onProgress = (): void => {
    if (isFirst) onFirst();
    isFirst = false;
  };
  return { from: amounts[0], to: amounts.at(-1), steps: amounts.length, onProgress };
}

function toFilled({ points }: Envelope): readonly Filled[] {
  return points.map(({ amount, gasUsed, received }) => ({ amount, gasUsed, received: received[0] }));
}
