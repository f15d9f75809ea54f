import type { Transaction } from "kysely";
import { fromKysely, PgBoss } from "pg-boss";

import type { OpenDatabase } from "./databases/openDatabase.ts";
import type { StoreSchema } from "./schema.ts";
import { workJobs } from "./workJobs.ts";

/** What a worker is handed: the request to work on. */
export interface RequestJob {
  readonly requestId: string;
}

/** What a worker of replays is handed: the fill of a campaign to replay. */
export interface CampaignJob {
  readonly campaignId: string;
  readonly itemId: string;
}

/** Jobs that survive a restart: delivered at least once, so a handler must bear being run twice. */
export interface JobQueue<Job extends object = RequestJob> {
  /**
   * Adds a job; with a transaction, the job is there if and only if the transaction commits.
   *
   * @param delayMs how long it is not worked on, in milliseconds
   */
  add(job: Job, transaction?: Transaction<StoreSchema>, delayMs?: number): Promise<void>;
  /** Whether some worker is at a job of this content. */
  isUnderWay(job: Job): Promise<boolean>;
  /**
   * Starts working jobs off, several at a time, until `stop`, which aborts those under way. A handler that throws is
   * run again later.
   *
   * @param concurrency how many at a time; as the queue's settings say when left out
   */
  work(
    handler: (job: Job, signal: AbortSignal) => Promise<void>,
    concurrency?: number,
  ): Promise<{ stop(): Promise<void> }>;
}

/** The queues of a store, and the notices of its database: both are heard over connections of the queues' own. */
export interface JobQueues {
  /** Requests to advance. */
  readonly requests: JobQueue;
  /** Requests with events for a webhook. */
  readonly deliveries: JobQueue;
  /** Fills of campaigns; opened when it is first asked for, since few databases have any. */
  replays(): Promise<JobQueue<CampaignJob>>;
  /** How many jobs wait or are worked on, by the name of the queue; of replays where anybody asked for them. */
  depths(): Promise<ReadonlyMap<string, number>>;
  /**
   * Hears a channel of the database until the handle is closed. A connection that is lost is opened again: notices that
   * were missed meanwhile never come, which is when `onGap` is called.
   */
  listen(channel: string, onNotice: (payload: string) => void, onGap: () => void): Promise<{ close(): Promise<void> }>;
  /** Stops taking jobs, and waits for those under way. */
  close(): Promise<void>;
}

/** How a queue is worked off. */
interface QueueSettings<Job extends object> {
  readonly name: string;
  /** Of jobs with the same key there is one at a time; as many as are added when left out. */
  readonly keyOf?: (job: Job) => string;
  /** Tells the workers of all processes that there is a job. */
  readonly channel: string;
  /** How many jobs one process works on at once. */
  readonly concurrency: number;
  /** How often a job that fails is run again, every half a minute in the end. */
  readonly retries: number;
}

/** Somebody's money waits for the job, and its chain may be away for days. */
const WITHOUT_END = 1_000_000;

/** Most of the time requests wait for their chains, and deliveries for their receivers. */
const REQUESTS: QueueSettings<RequestJob> = {
  name: "advance-request",
  channel: "crosscall_job",
  concurrency: 16,
  retries: WITHOUT_END,
};
const DELIVERIES: QueueSettings<RequestJob> = {
  name: "deliver-webhook",
  channel: "crosscall_delivery",
  concurrency: 16,
  retries: 100,
};
const REPLAYS: QueueSettings<CampaignJob> = {
  name: "replay-fill",
  channel: "crosscall_replay",
  concurrency: 1,
  // Workers that have no node of its chain may give a fill back any number of times.
  retries: WITHOUT_END,
  // Whoever goes on with a campaign adds what is left of it, not knowing what others are at.
  keyOf: ({ campaignId, itemId }) => JSON.stringify([campaignId, itemId]),
};

/** A job that takes longer is stopped, and run again. */
export const JOB_TIMEOUT_MS = 300_000;

/** Ten years: jobs that wait longer are deleted, though they were never done. */
const RETENTION_SECONDS = 10 * 365 * 86_400;

/** How often a queue is looked at for jobs that are to be run again. */
const POLL_MS = 500;

// A job of a process that is gone is taken up by another one once it was not said to be under way for so long.
const HEARTBEAT_MS = 4_000;
const HEARTBEAT_SECONDS = 12;
const HEARTBEAT_CHECK_SECONDS = 5;

/** Opens the queues on a database that the store has opened. */
export async function openJobQueues(
  database: OpenDatabase["queue"],
  onError: (error: Error) => void,
): Promise<JobQueues> {
  const boss = new PgBoss({
    ...database,
    schedule: false,
    superviseIntervalSeconds: HEARTBEAT_CHECK_SECONDS,
    monitorIntervalSeconds: HEARTBEAT_CHECK_SECONDS,
  });
  boss.on("error", onError);
  await boss.start();
  const listen: JobQueues["listen"] = async (channel, onNotice, onGap) => {
    const handle = await boss.getDb().listen?.(channel, onNotice, onGap);
    if (handle === undefined) throw new Error("the queue's database cannot listen");
    return handle;
  };
  const stops = new Set<() => Promise<void>>();
  const open = <Job extends object>(settings: QueueSettings<Job>): Promise<JobQueue<Job>> =>
    openQueue({ boss, listen, stops, onError }, settings);
  let replays: Promise<JobQueue<CampaignJob>> | undefined;
  return {
    requests: await open(REQUESTS),
    deliveries: await open(DELIVERIES),
    replays: () => (replays ??= open(REPLAYS)),
    async depths() {
      // Another process may have opened the replays.
      const opened = await boss.getQueues([REQUESTS.name, DELIVERIES.name, REPLAYS.name]);
      const stats = (await Promise.all(opened.map(({ name }) => boss.getQueueStats(name)))).flat();
      return new Map(stats.map(({ name, queuedCount, activeCount }) => [name, queuedCount + activeCount]));
    },
    listen,
    async close() {
      for (const stop of [...stops]) await stop();
      await boss.stop({ graceful: true, timeout: 10_000 });
    },
  };
}

interface OpenQueues extends Pick<JobQueues, "listen"> {
  readonly boss: PgBoss;
  /** Stops what works. */
  readonly stops: Set<() => Promise<void>>;
  readonly onError: (error: Error) => void;
}

async function openQueue<Job extends object>(
  { boss, listen, stops, onError }: OpenQueues,
  { name, keyOf, channel, concurrency: usualConcurrency, retries }: QueueSettings<Job>,
): Promise<JobQueue<Job>> {
  const options = {
    retryLimit: retries,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 30,
    expireInSeconds: JOB_TIMEOUT_MS / 1_000,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    retentionSeconds: RETENTION_SECONDS,
  };
  await boss.createQueue(name, { ...(keyOf === undefined ? {} : { policy: "exclusive" }), ...options });
  // A queue that was there has the settings of whoever made it.
  await boss.updateQueue(name, options);
  return {
    async add(job, transaction, delayMs = 0) {
      const db = transaction === undefined ? boss.getDb() : fromKysely(transaction);
      await boss.send(name, job, {
        db,
        ...(keyOf === undefined ? {} : { singletonKey: keyOf(job) }),
        ...(delayMs === 0 ? {} : { startAfter: delayMs / 1_000 }),
      });
      if (delayMs === 0) await db.executeSql("select pg_notify($1, '')", [channel]);
    },
    async isUnderWay(job) {
      const jobs = await boss.findJobs<Job>(name, { data: job });
      return jobs.some(({ state }) => state === "active");
    },
    async work(handler, concurrency = usualConcurrency) {
      const pace = { concurrency, pollMs: POLL_MS, heartbeatMs: HEARTBEAT_MS };
      const worker = workJobs<Job>({ boss, queue: name, handler, ...pace, onError });
      const listener = await listen(channel, worker.wake, worker.wake);
      const stop = async (): Promise<void> => {
        if (!stops.delete(stop)) return;
        await worker.stop();
        await listener.close();
      };
      stops.add(stop);
      return { stop };
    },
  };
}
