import { AbortedError, pause } from "@crosscall/protocol/core";
import { Alarm } from "../alarm.ts";
import { relayerAccount } from "../devchain/accounts.ts";
import type { DevChain } from "../devchain/devChain.ts";
import type { Lease } from "../store/databases/openDatabase.ts";
import { type ExpectedPayments, findExpectedPayments } from "../store/requests/requests.ts";
import { listOpenTransactions } from "../store/transactions.ts";
import { attemptEach } from "./attemptEach.ts";
import { type DepositAddressWatch, watchDepositAddresses } from "./depositAddresses/watchDepositAddresses.ts";
import type { Head } from "./deposits/readDeposits.ts";
import { watchSameChain } from "./sameChain.ts";
import { scanDeposits } from "./deposits/scanDeposits.ts";
import { followTransactions, type SendingMemory } from "./followTransactions.ts";
import type { SolverParts } from "./solverParts.ts";

/** Interval while a part of the chain could not be processed or must be checked again. */
const AGAIN_INTERVAL_MS = 100;

/** Interval while the solver's transactions are pending, which is short after activity, then longer. */
const FOLLOW_INTERVAL_MS = 25;
const FOLLOW_INTERVAL_MAX_MS = 100;

/** Time for a worker to record the block of its transaction before the watch searches for it. */
const WORKER_TIME_MS = 100;

/** Interval without an event, in case an event was lost. */
const FALLBACK_INTERVAL_MS = 5_000;

/** Poll interval for a node that does not announce its blocks, which is short after activity, then longer. */
const POLL_INTERVAL_MS = 100;
const POLL_INTERVAL_MAX_MS = 1_000;

const INTERVAL_GROWTH = 1.25;

/** Pause after a chain did not respond. */
const FAULT_PAUSE_MS = 1_000;

export interface ChainWatches {
  /** Reads the chains that do not announce their changes, and then polls them frequently for some time. */
  readonly wake: () => void;
  /** Waits for scans in progress. */
  close(): Promise<void>;
}

/**
 * Watches every chain for deposits and for the solver's own transactions. A watch wakes when a chain announces a
 * change, or a process signs a transaction. Events only save time, because a slow poll compensates for lost events.
 */
export async function watchChains(parts: SolverParts): Promise<ChainWatches> {
  const stop = new AbortController();
  const watches = new Map<number, ChainWatch>();
  for (const chain of parts.chains.values()) watches.set(chain.id, await startWatch(parts, chain, stop.signal));
  const wake = (): void => watches.forEach((watch) => watch.wake());
  const pending = await parts.store.onPendingTransaction({
    onPending: (chainId) => watches.get(chainId)?.noticePending(),
    onGap: () => watches.forEach((watch) => watch.noticePending()),
  });
  // A new request may soon have a deposit.
  const creations = await parts.store.onCreation(wake);
  return {
    wake,
    async close() {
      stop.abort(new AbortedError({ what: "the watch of the chains" }));
      await creations.stop();
      await pending.stop();
      await Promise.all([...watches.values()].map((watch) => watch.close()));
    },
  };
}

interface ChainWatch {
  wake(): void;
  /** Reports that a transaction of the solver may be pending. */
  noticePending(): void;
  /** Waits for work in progress. Call it after the signal has fired. */
  close(): Promise<void>;
}

async function startWatch(parts: SolverParts, chain: DevChain, signal: AbortSignal): Promise<ChainWatch> {
  const alarm = new Alarm();
  const addresses = watchDepositAddresses(parts, chain, signal);
  const look = createLook(parts, chain, addresses, signal);
  // Only one process watches each chain, because others would repeat its work.
  const lease = await parts.store.lease(`crosscall.watch.${chain.id}`, () => {
    look.forget();
    look.noticePending();
    alarm.ring();
  });
  const running = Promise.all([watch(parts, chain, { alarm, look, lease }, signal), addresses.running]);
  const wake = (): void => {
    if (!chain.changes.isComplete) alarm.ring();
  };
  let isNoticing = false;
  return {
    wake,
    noticePending() {
      if (isNoticing) return;
      isNoticing = true;
      void pause(WORKER_TIME_MS, signal).then((isRunning) => {
        isNoticing = false;
        if (!isRunning) return;
        look.noticePending();
        alarm.ring();
      });
    },
    async close() {
      await running;
      await lease.close();
    },
  };
}

interface WatchParts {
  readonly alarm: Alarm;
  readonly look: Look;
  readonly lease: Lease;
}

async function watch(
  parts: SolverParts,
  chain: DevChain,
  { alarm, look, lease }: WatchParts,
  signal: AbortSignal,
): Promise<void> {
  const unsubscribe = chain.changes.subscribe(() => alarm.ring());
  let pollMs = POLL_INTERVAL_MS;
  let followMs = FOLLOW_INTERVAL_MS;
  let waitMs = 0;
  try {
    for (;;) {
      const waited = await alarm.wait(waitMs, signal);
      if (waited === "aborted") return;
      if (!lease.isHeld()) {
        waitMs = FALLBACK_INTERVAL_MS;
        continue;
      }
      try {
        const head = await chain.client.getBlock();
        const found = await look.at(head);
        const isQuiet = waited === "elapsed" && !found.isNew;
        pollMs = isQuiet ? Math.min(pollMs * INTERVAL_GROWTH, POLL_INTERVAL_MAX_MS) : POLL_INTERVAL_MS;
        followMs = isQuiet ? Math.min(followMs * INTERVAL_GROWTH, FOLLOW_INTERVAL_MAX_MS) : FOLLOW_INTERVAL_MS;
        const idleMs = chain.changes.isComplete ? FALLBACK_INTERVAL_MS : pollMs;
        waitMs = found.isOpen ? followMs : found.isDone ? idleMs : AGAIN_INTERVAL_MS;
        if (!found.hasFailed) continue;
        waitMs = 0;
        if (!(await pause(FAULT_PAUSE_MS, signal))) return;
      } catch (error) {
        if (signal.aborted) return;
        look.forget();
        parts.log.error({ chainId: chain.id, error }, "could not read a chain");
        // Another process may be able to reach the chain.
        await lease.yield();
        if (!(await pause(FAULT_PAUSE_MS, signal))) return;
        waitMs = 0;
      }
    }
  } finally {
    unsubscribe();
  }
}

interface Found {
  /** Whether the head of the chain changed. */
  readonly isNew: boolean;
  /** Whether a transaction of the solver is pending. */
  readonly isOpen: boolean;
  /** Whether everything was processed. */
  readonly isDone: boolean;
  readonly hasFailed: boolean;
}

interface Look {
  at(head: Head): Promise<Found>;
  noticePending(): void;
  /** Scans deposits again. */
  forget(): void;
}

function createLook(parts: SolverParts, chain: DevChain, addresses: DepositAddressWatch, signal: AbortSignal): Look {
  const userTransactions = watchSameChain(parts, chain);
  const memory: SendingMemory = new Map();
  const relayer = { ...parts, solver: relayerAccount };
  const relayerMemory: SendingMemory = new Map();
  /** Hashes of the latest block, and of the latest block with processed deposits. */
  let seenHash: string | undefined;
  let scannedHash: string | undefined;
  /** Hash of the latest block announced to the watch of the deposit addresses, if there were any addresses. */
  let noticedHash: string | undefined;
  // True at start, because an earlier process may have left pending transactions.
  let isOpen = true;
  let isNoticed = false;
  let followedAt = -Infinity;
  let isDone = true;
  const watches: Readonly<Record<string, (head: Head, expected: () => Promise<ExpectedPayments>) => Promise<void>>> = {
    async deposits(head) {
      if (head.hash === scannedHash) return;
      const former = scannedHash;
      scannedHash = undefined;
      if (await scanDeposits(parts, chain, head, former, signal)) scannedHash = head.hash;
      else isDone = false;
    },
    async depositAddresses(head, expected) {
      if (head.hash === noticedHash) return;
      if ((await expected()).hasDepositAddresses) addresses.notice(head);
      noticedHash = head.hash;
    },
    async userTransactions(head, expected) {
      if (!(await userTransactions.look(head, expected, signal))) isDone = false;
    },
    async ownTransactions() {
      const isDue = performance.now() - followedAt >= FALLBACK_INTERVAL_MS;
      if (!isOpen && !isNoticed && !isDue) return;
      isNoticed = false;
      // Stays true if the following read fails.
      isOpen = true;
      const senders = [parts.solver.address, relayerAccount.address];
      const rows = await listOpenTransactions(parts.store.db, chain.id, senders);
      const own = rows.filter(({ sender }) => sender === parts.solver.address);
      const relayed = rows.filter(({ sender }) => sender === relayerAccount.address);
      const isOwnOpen = await followTransactions(parts, chain, own, memory, signal);
      isOpen = (await followTransactions(relayer, chain, relayed, relayerMemory, signal)) || isOwnOpen;
      followedAt = performance.now();
    },
  };
  return {
    async at(head) {
      isDone = true;
      const isNew = head.hash !== seenHash;
      seenHash = head.hash;
      let found: Promise<ExpectedPayments> | undefined;
      const expected = (): Promise<ExpectedPayments> =>
        (found ??= findExpectedPayments(parts.store.db, chain.id, new Date(parts.clock.now())));
      const haveAllWorked = await attemptEach(parts, Object.entries(watches), {
        what: "scan a chain",
        facts: ([scan]) => ({ chainId: chain.id, scan }),
        attempt: ([, look]) => look(head, expected),
        signal,
      });
      return { isNew, isOpen, isDone, hasFailed: !haveAllWorked };
    },
    noticePending() {
      isNoticed = true;
    },
    forget() {
      scannedHash = undefined;
    },
  };
}
