import type { Transaction } from "kysely";
import { fromKysely, PgBoss } from "pg-boss";

import type { OpenDatabase } from "./databases/openDatabase.ts";
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

/** The queue of a database, and the notices of that database: both are heard over connections of the queue's own. */
export interface OpenJobQueue extends JobQueue {
  /**
   * Hears a channel of the database until the handle is closed. A connection that is lost is opened again: notices that
   * were missed meanwhile never come, which is when `onGap` is called.
   */
  listen(channel: string, onNotice: (payload: string) => void, onGap: () => void): Promise<{ close(): Promise<void> }>;
}

/** Opens the queue on a database that the store has opened. */
export async function openJobQueue(
  database: OpenDatabase["queue"],
  onError: (error: Error) => void,
): Promise<OpenJobQueue> {
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
    async listen(channel, onNotice, onGap) {
      const handle = await boss.getDb().listen?.(channel, onNotice, onGap);
      if (handle === undefined) throw new Error("the queue's database cannot listen");
      return handle;
    },
    async close() {
      await boss.stop({ graceful: true, timeout: 10_000 });
    },
  };
}
