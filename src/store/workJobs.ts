import type { Job, PgBoss } from "pg-boss";

import { AbortedError } from "@crosscall/sdk/internal/core/errors";

export interface WorkParameters<Data> {
  readonly boss: PgBoss;
  readonly queue: string;
  readonly handler: (data: Data, signal: AbortSignal) => Promise<void>;
  readonly concurrency: number;
  /** Interval for jobs without a notice, such as retries. */
  readonly pollMs: number;
  /** Another process takes over a job without a heartbeat. */
  readonly heartbeatMs: number;
  readonly onError: (error: Error) => void;
}

export interface JobWorker {
  readonly wake: () => void;
  /** Aborts jobs in progress, and waits for them. */
  stop(): Promise<void>;
}

/**
 * Fetches as many jobs as there is room for, and refills each place as its job ends, so a job that waits for a block
 * delays no other.
 */
export function workJobs<Data extends object>(parameters: WorkParameters<Data>): JobWorker {
  const { boss, queue, handler, concurrency, onError } = parameters;
  const stopping = new AbortController();
  const underWay = new Map<Job<Data>, Promise<void>>();
  let notice = newNotice();
  let isFull = false;

  const settle = async (job: Job<Data>): Promise<void> => {
    try {
      await handler(job.data, AbortSignal.any([stopping.signal, AbortSignal.timeout(job.expireInSeconds * 1_000)]));
      await boss.complete(queue, job);
    } catch (error) {
      await boss.fail(queue, job, { message: asError(error).message });
    }
  };
  const start = (job: Job<Data>): void => {
    const work = settle(job)
      // A job that was never settled runs again.
      .catch((error: unknown) => onError(asError(error)))
      .finally(() => {
        underWay.delete(job);
        if (isFull) notice.resolve();
      });
    underWay.set(job, work);
  };
  const fetchJobs = async (): Promise<void> => {
    // Notices that arrive during the fetch count too.
    notice = newNotice();
    const room = concurrency - underWay.size;
    const jobs = room === 0 ? [] : await boss.fetch<Data>(queue, { batchSize: room });
    // With all places taken there may be more jobs.
    isFull = jobs.length === room;
    for (const job of jobs) start(job);
  };
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await fetchJobs().catch((error: unknown) => onError(asError(error)));
      const poll = setTimeout(notice.resolve, parameters.pollMs);
      await notice.promise;
      clearTimeout(poll);
    }
  };
  const heartbeat = setInterval(() => {
    if (underWay.size === 0) return;
    boss.touch(queue, [...underWay.keys()]).catch((error: unknown) => onError(asError(error)));
  }, parameters.heartbeatMs);
  const running = run();
  return {
    wake: () => notice.resolve(),
    async stop() {
      stopping.abort(new AbortedError({ what: "the work on jobs" }));
      notice.resolve();
      await running;
      await Promise.all(underWay.values());
      clearInterval(heartbeat);
    },
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function newNotice(): { readonly promise: Promise<undefined>; readonly resolve: () => void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  return { promise, resolve: () => resolve(undefined) };
}
