import { pause } from "@crosscall/sdk/internal/core/abort";
import { unixSeconds } from "@crosscall/sdk/internal/core/clock";
import { AbortedError } from "@crosscall/sdk/internal/core/errors";
import { relayerAccount } from "../devchain/accounts.ts";
import type { DevChain } from "../devchain/devChain.ts";
import type { Reports } from "../market/reports.ts";
import { listAuthorizedClaims } from "../store/appFees.ts";
import { listOpenFastFills } from "../store/fastFills.ts";
import { listFailedPermits } from "../store/permits.ts";
import { listUnfinishedRequests } from "../store/requests.ts";
import { advanceRequest } from "./advanceRequest.ts";
import { checkDepositAddress, watchDepositAddresses } from "./depositAddresses/watchDepositAddresses.ts";
import { attemptEach } from "./attemptEach.ts";
import { awaitDeposits } from "./deposits/awaitDeposits.ts";
import { type Head, scanDeposits } from "./deposits/scanDeposits.ts";
import { followTransactions, type SendingMemory } from "./followTransactions.ts";
import { settleSameChain } from "./sameChain/settleSameChain.ts";
import { watchSameChain } from "./sameChain/watchSameChain.ts";
import { simulateDeposit } from "./simulated/simulateDeposit.ts";
import type { SolverParts } from "./solverParts.ts";

/** Interval of scans for unannounced deposits. */
const SCAN_INTERVAL_MS = 100;

/** Interval while the solver's transactions are pending. */
const FOLLOW_INTERVAL_MS = 25;

/** Interval of checks for deposits that time out. */
const AWAIT_INTERVAL_MS = 1_000;

/** Pause after a chain failed to respond. */
const FAULT_PAUSE_MS = 1_000;

export interface Solver {
  /** Accepts no new work, and waits for scans in progress. */
  close(): Promise<void>;
}

/** Continues what an earlier process left unfinished, then watches every chain for deposits. */
export async function startSolver(parts: SolverParts): Promise<Solver> {
  const { store } = parts;
  const stop = new AbortController();
  /** A waiting request occupies no worker; after a crash, the start finds it again. */
  const callAgain = (requestId: string, waitMs: number): void => {
    pause(waitMs, stop.signal)
      .then((isRunning) => (isRunning ? store.jobs.add({ requestId }) : undefined))
      .catch((error: unknown) => parts.log.error({ requestId, error }, "could not resume a request"));
  };
  await store.jobs.work(async ({ requestId }, signal) => {
    try {
      const waitMs = await advanceRequest(parts, requestId, AbortSignal.any([signal, stop.signal]));
      if (waitMs !== undefined) callAgain(requestId, waitMs);
    } catch (error) {
      // The queue retries the job.
      if (!stop.signal.aborted) parts.log.error({ requestId, error }, "could not advance a request");
      throw error;
    }
  });
  const open = [
    ...(await listUnfinishedRequests(store.db)),
    ...(await listOpenFastFills(store.db)),
    ...(await listAuthorizedClaims(store.db)),
    ...(await listFailedPermits(store.db, unixSeconds(parts.clock))),
  ];
  for (const requestId of open) await store.jobs.add({ requestId });

  const watches = [...parts.chains.values()].map((chain) => watchChain(parts, chain, stop.signal));
  watches.push(watchWaits(parts, stop.signal));
  return {
    async close() {
      stop.abort(new AbortedError({ what: "the solver" }));
      await Promise.all(watches);
    },
  };
}

export function createReports(parts: SolverParts): Reports {
  return {
    depositAddress: (chain, address, currencies) => checkDepositAddress(parts, chain, address, currencies),
    userTransaction: (chain, transaction) => settleSameChain(parts, chain, transaction),
    simulatedDeposit: (requestId, deposit) => simulateDeposit(parts, requestId, deposit),
  };
}

interface WatchState {
  /** The latest block whose deposits were processed. */
  scannedHash: string | undefined;
  /** Whether a transaction of the solver is pending. */
  isOpen: boolean;
}

async function watchChain(parts: SolverParts, chain: DevChain, signal: AbortSignal): Promise<void> {
  const addresses = watchDepositAddresses(parts, chain);
  const userTransactions = watchSameChain(parts, chain);
  const memory: SendingMemory = new Map();
  const relayer = { ...parts, solver: relayerAccount };
  const relayerMemory: SendingMemory = new Map();
  const state: WatchState = { scannedHash: undefined, isOpen: false };
  const watches: Readonly<Record<string, (head: Head) => Promise<void>>> = {
    async deposits(head) {
      if (head.hash === state.scannedHash) return;
      state.scannedHash = undefined;
      if (await scanDeposits(parts, chain, head, signal)) state.scannedHash = head.hash;
    },
    depositAddresses: () => addresses.look(signal),
    userTransactions: () => userTransactions.look(signal),
    async ownTransactions() {
      state.isOpen = await followTransactions(parts, chain, memory, signal);
    },
    async relayedTransactions() {
      state.isOpen = (await followTransactions(relayer, chain, relayerMemory, signal)) || state.isOpen;
    },
  };
  let pauseMs = 0;
  while (await pause(pauseMs, signal)) {
    try {
      const head = await chain.client.getBlock();
      const haveAllWorked = await attemptEach(parts, Object.entries(watches), {
        what: "scan a chain",
        facts: ([scan]) => ({ chainId: chain.id, scan }),
        attempt: ([, watch]) => watch(head),
        signal,
      });
      pauseMs = !haveAllWorked ? FAULT_PAUSE_MS : state.isOpen ? FOLLOW_INTERVAL_MS : SCAN_INTERVAL_MS;
    } catch (error) {
      if (signal.aborted) return;
      state.scannedHash = undefined;
      parts.log.error({ chainId: chain.id, error }, "could not read a chain");
      pauseMs = FAULT_PAUSE_MS;
    }
  }
}

async function watchWaits(
  parts: Pick<SolverParts, "chains" | "clock" | "depositTimeoutMs" | "log" | "store">,
  signal: AbortSignal,
): Promise<void> {
  while (await pause(AWAIT_INTERVAL_MS, signal)) {
    try {
      await awaitDeposits(parts, signal);
    } catch (error) {
      if (signal.aborted) return;
      parts.log.error({ error }, "could not check for missing deposits");
    }
  }
}
