import type { Job, PgBoss } from "pg-boss";

import { AbortedError } from "@crosscall/sdk/internal/core/errors";

/** What {@link workJobs} takes. */
export interface WorkParameters<Data> {
  readonly boss: PgBoss;
  readonly queue: string;
  readonly handler: (data: Data, signal: AbortSignal) => Promise<void>;
  /** How many jobs are worked at once. */
  readonly concurrency: number;
  /** How often the queue is looked at for what no notice tells of, such as jobs that are to be run again. */
  readonly pollMs: number;
  /** How often the jobs under way are said to be so; another process takes up one that was not for long. */
  readonly heartbeatMs: number;
  /** Told of faults of the queue itself. */
  readonly onError: (error: Error) => void;
}

/** Works jobs off until it is stopped. */
export interface JobWorker {
  /** Says that there is a job. */
  readonly wake: () => void;
  /** Aborts what is under way, and waits for it. */
  stop(): Promise<void>;
}

/**
 * Works the jobs of a queue off. As many are fetched at once as there is room for, each ends by itself, and its room is
 * filled again: one that waits long for a block holds no other up, and a notice costs one fetch.
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
      // The queue runs a job again that was never settled.
      .catch((error: unknown) => onError(asError(error)))
      .finally(() => {
        underWay.delete(job);
        if (isFull) notice.resolve();
      });
    underWay.set(job, work);
  };
  const fetchJobs = async (): Promise<void> => {
    // What comes while the answer is on its way counts, too.
    notice = newNotice();
    const room = concurrency - underWay.size;
    const jobs = room === 0 ? [] : await boss.fetch<Data>(queue, { batchSize: room });
    // Where all room is taken there may be more.
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
