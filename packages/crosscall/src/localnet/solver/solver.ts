import { AbortedError, pause } from "@crosscall/protocol/core";
import { Alarm } from "../alarm.ts";
import { earliestTime } from "../devchain/chainTime.ts";
import type { Reports } from "../market/reports.ts";
import { listAuthorizedClaims } from "../store/appFees.ts";
import { listOpenFastFills } from "../store/fastFills.ts";
import { listFailedPermits } from "../store/permits.ts";
import { listUnfinishedRequests } from "../store/requests/requests.ts";
import { advanceRequest } from "./advanceRequest.ts";
import { checkDepositAddress } from "./depositAddresses/lookForPayments.ts";
import { settleSameChain } from "./sameChain.ts";
import { simulateDeposit } from "./simulated.ts";
import { awaitDeposits } from "./deposits/awaitDeposits.ts";
import type { DepositAwaiter, SolverParts } from "./solverParts.ts";
import { watchChains } from "./watchChains.ts";

/** Interval between checks for deposit timeouts while requests wait for deposits. */
const AWAIT_INTERVAL_MS = 1_000;

/** Interval between these checks if no request waits, because the service's clock can be set at any time. */
const AWAIT_IDLE_INTERVAL_MS = 3_000;

/** Retry interval while the database does not respond. */
const CALL_AGAIN_RETRY_MS = 1_000;

export interface Solver {
  /** Accepts no new work, and waits for scans in progress. */
  close(): Promise<void>;
}

/** Resumes the unfinished work of earlier processes, then watches every chain for deposits. */
export async function startSolver(parts: SolverParts): Promise<Solver> {
  const { store } = parts;
  const stop = new AbortController();
  /** Waiting requests do not occupy a worker. After a crash, the next start finds them again. */
  const callAgain = async (requestId: string, waitMs: number): Promise<void> => {
    for (let nextMs = waitMs; await pause(nextMs, stop.signal); nextMs = CALL_AGAIN_RETRY_MS) {
      try {
        await store.jobs.add({ requestId });
        return;
      } catch (error) {
        parts.log.error({ requestId, error }, "could not resume a request");
      }
    }
  };
  await store.jobs.work(async ({ requestId }, signal) => {
    try {
      const waitMs = await advanceRequest(parts, requestId, AbortSignal.any([signal, stop.signal]));
      if (waitMs !== undefined) void callAgain(requestId, waitMs);
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
    ...(await listFailedPermits(store.db, await earliestTime([...parts.chains.values()]))),
  ];
  for (const requestId of open) await store.jobs.add({ requestId });

  const chains = await watchChains(parts);
  const alarm = new Alarm();
  const changes = await store.onStatusChange({
    onChange({ status }) {
      if (status !== "depositing") return;
      alarm.ring();
      // Announces the chain, because a client can announce a deposit before the next poll of an external node.
      chains.wake();
    },
    onGap: chains.wake,
  });
  const waits = watchWaits(parts, alarm, stop.signal);
  return {
    async close() {
      stop.abort(new AbortedError({ what: "the solver" }));
      await changes.stop();
      await Promise.all([chains.close(), waits]);
    },
  };
}

export function createReports(parts: SolverParts): Reports {
  return {
    depositAddress: (chain, address, currencies) => checkDepositAddress(parts, chain, address, currencies),
    userTransaction: (chain, transaction) => settleSameChain(parts, chain, transaction),
    simulatedDeposit: (requestId, deposit, db) => simulateDeposit(parts, requestId, deposit, db),
  };
}

async function watchWaits(parts: DepositAwaiter, alarm: Alarm, signal: AbortSignal): Promise<void> {
  let intervalMs = AWAIT_INTERVAL_MS;
  while ((await alarm.wait(intervalMs, signal)) !== "aborted") {
    try {
      intervalMs = (await awaitDeposits(parts, signal)) ? AWAIT_INTERVAL_MS : AWAIT_IDLE_INTERVAL_MS;
    } catch (error) {
      if (signal.aborted) return;
      parts.log.error({ error }, "could not check for missing deposits");
    }
  }
}
