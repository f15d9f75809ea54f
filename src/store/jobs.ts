import type { Transaction } from "kysely";
import { type ConstructorOptions, fromKysely, PgBoss } from "pg-boss";

import type { StoreSchema } from "./schema.ts";

/** What a worker is handed: the request to advance. */
export interface RequestJob {
  readonly requestId: string;
}

/** Jobs that survive a restart: delivered at least once, so a handler must bear being run twice. */
export interface JobQueue {
  /** Adds a job; with a transaction, the job is there if and only if the transaction commits. */
  add(job: RequestJob, transaction?: Transaction<StoreSchema>): Promise<void>;
  /** Starts working jobs off, several at a time. A handler that throws is run again later. */
  work(handler: (job: RequestJob, signal: AbortSignal) => Promise<void>): Promise<void>;
  /** Stops taking jobs, and waits for those under way. */
  close(): Promise<void>;
}

const QUEUE = "advance-request";

/** How many requests are advanced at once by one process. */
const CONCURRENCY = 4;

/** Opens the queue on a database that the store has opened. */
export async function openJobQueue(
  database: Pick<ConstructorOptions, "db" | "backend">,
  onError: (error: Error) => void,
): Promise<JobQueue> {
  const boss = new PgBoss({ ...database, useListenNotify: true, schedule: false });
  boss.on("error", onError);
  await boss.start();
  await boss.createQueue(QUEUE, {
    notify: true,
    retryLimit: 100,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 30,
    expireInSeconds: 300,
  });
  return {
    async add(job, transaction) {
      await boss.send(QUEUE, job, transaction === undefined ? {} : { db: fromKysely(transaction) });
    },
    async work(handler) {
      await boss.work<RequestJob>(
        QUEUE,
        { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 2, localConcurrency: CONCURRENCY },
        async (jobs) => {
          for (const job of jobs) await handler(job.data, job.signal);
        },
      );
    },
    async close() {
      await boss.stop({ graceful: true, timeout: 10_000 });
    },
  };
}
