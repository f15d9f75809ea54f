import type { Transaction } from "kysely";
import { fromKysely, PgBoss } from "pg-boss";

import type { OpenDatabase } from "./databases/openDatabase.ts";
import type { StoreSchema } from "./schema.ts";
import { workJobs } from "./workJobs.ts";

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

/** Tells the workers of all processes that there is a job. */
const JOB_CHANNEL = "crosscall_job";

/** How many requests are advanced at once by one process: most of the time they wait for their chains. */
const CONCURRENCY = 16;

/** How often the queue is looked at for jobs that are to be run again. */
const POLL_MS = 500;

// A job of a process that is gone is taken up by another one once it was not said to be under way for so long.
const HEARTBEAT_MS = 4_000;
const HEARTBEAT_SECONDS = 12;
const HEARTBEAT_CHECK_SECONDS = 5;

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
  const boss = new PgBoss({
    ...database,
    schedule: false,
    superviseIntervalSeconds: HEARTBEAT_CHECK_SECONDS,
    monitorIntervalSeconds: HEARTBEAT_CHECK_SECONDS,
  });
  boss.on("error", onError);
  await boss.start();
  await boss.createQueue(QUEUE, {
    retryLimit: 100,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 30,
    expireInSeconds: 300,
    heartbeatSeconds: HEARTBEAT_SECONDS,
  });
  const listen: OpenJobQueue["listen"] = async (channel, onNotice, onGap) => {
    const handle = await boss.getDb().listen?.(channel, onNotice, onGap);
    if (handle === undefined) throw new Error("the queue's database cannot listen");
    return handle;
  };
  const closers: (() => Promise<void>)[] = [];
  return {
    async add(job, transaction) {
      const db = transaction === undefined ? boss.getDb() : fromKysely(transaction);
      await boss.send(QUEUE, job, { db });
      await db.executeSql("select pg_notify($1, '')", [JOB_CHANNEL]);
    },
    async work(handler) {
      const pace = { concurrency: CONCURRENCY, pollMs: POLL_MS, heartbeatMs: HEARTBEAT_MS };
      const worker = workJobs<RequestJob>({ boss, queue: QUEUE, handler, ...pace, onError });
      closers.push(() => worker.stop());
      const ear = await listen(JOB_CHANNEL, worker.wake, worker.wake);
      closers.push(() => ear.close());
    },
    listen,
    async close() {
      for (const close of closers.splice(0)) await close();
      await boss.stop({ graceful: true, timeout: 10_000 });
    },
  };
}
