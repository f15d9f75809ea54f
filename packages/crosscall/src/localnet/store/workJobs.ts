import type { Job, PgBoss } from "pg-boss";

import { AbortedError, pause } from "@crosscall/protocol/core";
import { Alarm, type Waited } from "../alarm.ts";

export interface WorkParameters<Data> {
  readonly boss: PgBoss;
  readonly queue: string;
  readonly handler: (data: Data, signal: AbortSignal) => Promise<void>;
  readonly concurrency: number;
  /** Concurrency of each group of jobs across all processes; undefined if the queue has no groups. */
  readonly groupConcurrency: number | undefined;
  /** Poll interval while this worker expects a job without a notice, such as a retry or a delayed job. */
  readonly pollMs: number;
  /** Poll interval otherwise, for jobs that other processes left. */
  readonly idlePollMs: number;
  /** Maximum time after which a failed job is retried. */
  readonly retryDelayMaxMs: number;
  /** Time without a heartbeat after which another process takes over a job. */
  readonly heartbeatMs: number;
  readonly onError: (error: Error) => void;
}

const WAKE_SPREAD_MS = 25;

export interface JobWorker {
  readonly wake: () => void;
  /** Reports a job that any process can take. */
  readonly wakeSoon: () => void;
  hasRoom(): boolean;
  /** Reports a job that becomes due after this time. */
  readonly expect: (delayMs: number) => void;
  /** Aborts jobs in progress and waits for them. */
  stop(): Promise<void>;
}

/**
 * Fetches as many jobs as there are free workers, and refills each worker when its job ends. A job that waits for a
 * block does not delay others.
 */
export function workJobs<Data extends object>(parameters: WorkParameters<Data>): JobWorker {
  const { boss, queue, handler, concurrency, groupConcurrency, onError } = parameters;
  const stopping = new AbortController();
  const underWay = new Map<Job<Data>, Promise<void>>();
  const alarm = new Alarm();
  const groupLimit = groupConcurrency === undefined ? {} : { groupConcurrency };
  let isFull = false;
  let expectedUntil = -Infinity;
  let isWakingSoon = false;

  const expectUntil = (durationMs: number): void => {
    expectedUntil = Math.max(expectedUntil, performance.now() + durationMs);
    alarm.ring();
  };

  const settle = async (job: Job<Data>): Promise<void> => {
    try {
      await handler(job.data, AbortSignal.any([stopping.signal, AbortSignal.timeout(job.expireInSeconds * 1_000)]));
      await boss.complete(queue, job);
    } catch (error) {
      await boss.fail(queue, job, { message: asError(error).message });
      expectUntil(parameters.retryDelayMaxMs + parameters.idlePollMs);
    }
  };
  const start = (job: Job<Data>): void => {
    const work = settle(job)
      // A job without a recorded result runs again.
      .catch((error: unknown) => onError(asError(error)))
      .finally(() => {
        underWay.delete(job);
        // Fetches again, because there may be more jobs, or more jobs of this group.
        if (isFull || groupConcurrency !== undefined) alarm.ring();
      });
    underWay.set(job, work);
  };
  const fetchJobs = async (): Promise<void> => {
    for (;;) {
      const room = concurrency - underWay.size;
      const jobs = room === 0 ? [] : await boss.fetch<Data>(queue, { batchSize: room, ...groupLimit });
      isFull = jobs.length === room;
      for (const job of jobs) start(job);
      // Fetches more jobs, because the oldest jobs can all belong to one group at its limit, with jobs of other groups
      // after them.
      if (groupConcurrency === undefined || isFull || jobs.length === 0) return;
    }
  };
  const run = async (): Promise<void> => {
    let waited: Waited = "rung";
    while (waited !== "aborted") {
      await fetchJobs().catch((error: unknown) => onError(asError(error)));
      const isExpecting = performance.now() < expectedUntil;
      waited = await alarm.wait(isExpecting ? parameters.pollMs : parameters.idlePollMs, stopping.signal);
    }
  };
  const heartbeat = setInterval(() => {
    if (underWay.size === 0) return;
    boss.touch(queue, [...underWay.keys()]).catch((error: unknown) => onError(asError(error)));
  }, parameters.heartbeatMs);
  const running = run();
  return {
    wake: () => alarm.ring(),
    wakeSoon() {
      if (isWakingSoon) return;
      isWakingSoon = true;
      // Schedules one poll for several jobs, at a random time, so that processes do not poll at the same time.
      void pause(Math.random() * WAKE_SPREAD_MS, stopping.signal).then((isRunning) => {
        isWakingSoon = false;
        if (isRunning) alarm.ring();
      });
    },
    hasRoom: () => underWay.size < concurrency,
    expect(delayMs) {
      void pause(delayMs, stopping.signal).then((isRunning) => {
        // Returns the delay by the database's clock, which determines when the job is due.
        if (isRunning) expectUntil(parameters.idlePollMs);
      });
    },
    async stop() {
      stopping.abort(new AbortedError({ what: "the work on jobs" }));
      await running;
      await Promise.all(underWay.values());
      clearInterval(heartbeat);
    },
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
