import { sleep } from "@crosscall/sdk/internal/core/abort";
import { AbortedError } from "@crosscall/sdk/internal/core/errors";
import { listUnfinishedRequests } from "../../store/requests.ts";
import type { ServiceChain, ServiceContext } from "../context.ts";
import { watchDepositAddresses } from "../depositAddresses/watchDepositAddresses.ts";
import { watchSameChain } from "../sameChain/watchSameChain.ts";
import { advanceRequest } from "./advanceRequest.ts";
import { awaitDeposits } from "./deposits/awaitDeposits.ts";
import { scanDeposits } from "./deposits/scanDeposits.ts";
import { followTransactions, type SendingMemory } from "./followTransactions.ts";

/** How often a chain is looked at for deposits that nobody announced. */
const SCAN_INTERVAL_MS = 100;

/** How often it is while transactions of the solver are under way. */
const FOLLOW_INTERVAL_MS = 25;

/** How often the deposits that do not come are looked through. */
const AWAIT_INTERVAL_MS = 1_000;

/** How long a chain that failed to answer is left alone. */
const FAULT_PAUSE_MS = 1_000;

/** A running solver. */
export interface Solver {
  /** Stops taking up work, and waits for scans under way. */
  close(): Promise<void>;
}

/** Starts the solver: it picks up what an earlier process left unfinished, then watches every chain for deposits. */
export async function startSolver(context: ServiceContext): Promise<Solver> {
  const { store } = context;
  const stop = new AbortController();
  /** A request that waits takes up no worker; after a crash the start finds it again. */
  const callAgain = (requestId: string, waitMs: number): void => {
    pause(waitMs, stop.signal)
      .then((isRunning) => (isRunning ? store.jobs.add({ requestId }) : undefined))
      .catch((error: unknown) => context.log.error({ requestId, error }, "a request could not be taken up again"));
  };
  await store.jobs.work(async ({ requestId }, signal) => {
    try {
      const waitMs = await advanceRequest(context, requestId, AbortSignal.any([signal, stop.signal]));
      if (waitMs !== undefined) callAgain(requestId, waitMs);
    } catch (error) {
      // The queue runs the job again; nobody else hears of the fault.
      if (!stop.signal.aborted) context.log.error({ requestId, error }, "a request could not be advanced");
      throw error;
    }
  });
  for (const requestId of await listUnfinishedRequests(store.db)) await store.jobs.add({ requestId });

  const watches = [...context.chains.values()].map((chain) => watchChain(context, chain, stop.signal));
  watches.push(watchWaits(context, stop.signal));
  return {
    async close() {
      stop.abort(new AbortedError({ what: "the solver" }));
      await Promise.all(watches);
    },
  };
}

async function watchChain(context: ServiceContext, chain: ServiceChain, signal: AbortSignal): Promise<void> {
  const addresses = watchDepositAddresses(context, chain);
  const userTransactions = watchSameChain(context, chain);
  const memory: SendingMemory = new Map();
  let scannedHash: string | undefined;
  let pauseMs = 0;
  while (await pause(pauseMs, signal)) {
    try {
      const head = await chain.client.getBlock();
      if (head.hash !== scannedHash) {
        scannedHash = (await scanDeposits(context, chain, head)) ? head.hash : undefined;
      }
      await addresses.look();
      await userTransactions.look();
      pauseMs = (await followTransactions(context, chain, memory)) ? FOLLOW_INTERVAL_MS : SCAN_INTERVAL_MS;
    } catch (error) {
      scannedHash = undefined;
      context.log.error({ chainId: chain.id, error }, "the look at a chain failed");
      pauseMs = FAULT_PAUSE_MS;
    }
  }
}

async function watchWaits(context: ServiceContext, signal: AbortSignal): Promise<void> {
  while (await pause(AWAIT_INTERVAL_MS, signal)) {
    try {
      await awaitDeposits(context);
    } catch (error) {
      context.log.error({ error }, "the look at deposits that do not come failed");
    }
  }
}

/** Waits; false once the signal has fired. */
async function pause(durationMs: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(durationMs, signal, "the watch for deposits");
    return true;
  } catch {
    return false;
  }
}
