import { type RawBuilder, sql } from "kysely";
import { fromKysely, PgBoss } from "pg-boss";

import type { OpenDatabase } from "./databases/openDatabase.ts";
import type { StoreTransaction } from "./schema.ts";
import { type JobWorker, workJobs } from "./workJobs.ts";

export interface RequestJob {
  readonly requestId: string;
}

export interface DeliveryJob extends RequestJob {
  /** Hash of the API key that owns the webhook. */
  readonly keyHash: string;
}

export interface CampaignJob {
  readonly campaignId: string;
  readonly itemId: string;
}

/** A queue of jobs that survive restarts. Jobs are delivered at least once, so handlers must be idempotent. */
export interface JobQueue<Job extends object = RequestJob> {
  /**
   * Adds a job. With a transaction, the job exists if and only if the transaction commits.
   *
   * @param delayMs milliseconds before the job runs
   */
  add(job: Job, transaction?: StoreTransaction, delayMs?: number): Promise<void>;
  /** Adds a job as part of another statement. */
  insertion(job: Job): Promise<JobInsertion>;
  isUnderWay(job: Job): Promise<boolean>;
  /** Runs jobs until `stop`, which aborts jobs in progress. If a handler throws, its job runs again later. */
  work(
    handler: (job: Job, signal: AbortSignal) => Promise<void>,
    concurrency?: number,
  ): Promise<{ stop(): Promise<void> }>;
}

export interface JobInsertion {
  /** Common table expression that adds the job. */
  readonly insert: RawBuilder<unknown>;
  /** Expression of the main query that wakes the workers. */
  readonly notice: RawBuilder<unknown>;
}

/** Notices between the processes on a database. */
export interface Channels {
  /**
   * Listens until the handle is closed. After a lost connection is reopened, `onGap` is called, because notices may
   * have been missed.
   */
  readonly listen: (
    channel: string,
    onNotice: (payload: string) => void,
    onGap: () => void,
  ) => Promise<{ close(): Promise<void> }>;
}

export interface JobQueues extends Channels {
  readonly requests: JobQueue;
  readonly deliveries: JobQueue<DeliveryJob>;
  /** Opens the replay queue at first use, because few databases have replays. */
  replays(): Promise<JobQueue<CampaignJob>>;
  depths(): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
}

/** Groups with limited concurrency. Jobs that wait for their group occupy no worker, so no group delays another. */
interface JobGroups<Job extends object> {
  readonly of: (job: Job) => string;
  /** Maximum number of concurrent jobs per group, across all processes. */
  readonly concurrency: number;
}

interface QueueSettings<Job extends object> {
  readonly name: string;
  /** Returns the key of a job. Only one job with the same key can exist at a time. */
  readonly keyOf?: (job: Job) => string;
  readonly channel: string;
  readonly concurrency: number;
  readonly groups?: JobGroups<Job>;
  /** Number of retries, with backoff up to 30 seconds. */
  readonly retries: number;
}

/**
 * Practically unlimited number of retries, because a user's funds depend on the job and its chain can be down for days.
 */
const WITHOUT_END = 1_000_000;

/** High concurrency, because requests mostly wait for their chains, and deliveries for their receivers. */
const REQUESTS: QueueSettings<RequestJob> = {
  name: "advance-request",
  channel: "crosscall_job",
  concurrency: 16,
  retries: WITHOUT_END,
};
const DELIVERIES: QueueSettings<DeliveryJob> = {
  name: "deliver-webhook",
  channel: "crosscall_delivery",
  concurrency: 256,
  groups: { of: ({ keyHash }) => keyHash, concurrency: 4 },
  retries: 100,
};
const REPLAYS: QueueSettings<CampaignJob> = {
  name: "replay-fill",
  channel: "crosscall_replay",
  concurrency: 1,
  // Has no retry limit, because workers without a node for the chain can return a fill any number of times.
  retries: WITHOUT_END,
  // Prevents duplicates: a worker that resumes a campaign adds all remaining fills, even those in progress.
  keyOf: ({ campaignId, itemId }) => JSON.stringify([campaignId, itemId]),
};

export const JOB_TIMEOUT_MS = 300_000;

/** Ten years, after which jobs are deleted even if they were never completed. */
const RETENTION_SECONDS = 10 * 365 * 86_400;

const POLL_MS = 500;
const IDLE_POLL_MS = 3_000;
const RETRY_DELAY_MAX_MS = 30_000;

// Time without a heartbeat after which another process takes over a job.
const HEARTBEAT_MS = 4_000;
const HEARTBEAT_SECONDS = 12;
const HEARTBEAT_CHECK_SECONDS = 5;
/** Interval between checks if only this process uses the database. Each check takes a dozen statements. */
const OWN_HEARTBEAT_CHECK_SECONDS = 15;

export async function openJobQueues(
  database: OpenDatabase["queue"],
  onError: (error: Error) => void,
): Promise<JobQueues> {
  const checkSeconds = database.backend === "pglite" ? OWN_HEARTBEAT_CHECK_SECONDS : HEARTBEAT_CHECK_SECONDS;
  const boss = new PgBoss({
    ...database,
    schedule: false,
    superviseIntervalSeconds: checkSeconds,
    monitorIntervalSeconds: checkSeconds,
  });
  boss.on("error", onError);
  await boss.start();
  const listen = shareChannels(async (channel, onNotice, onGap) => {
    const handle = await boss.getDb().listen?.(channel, onNotice, onGap);
    if (handle === undefined) throw new Error("the queue's database does not support notices");
    return handle;
  });
  const stops = new Set<() => Promise<void>>();
  const open = <Job extends object>(settings: QueueSettings<Job>): Promise<JobQueue<Job>> =>
    openQueue({ boss, listen, stops, onError }, settings);
  let replays: Promise<JobQueue<CampaignJob>> | undefined;
  return {
    requests: await open(REQUESTS),
    deliveries: await open(DELIVERIES),
    replays: () => (replays ??= open(REPLAYS)),
    async depths() {
      // Opens the replay queue if another process has opened it.
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

interface Listener {
  readonly onNotice: (payload: string) => void;
  readonly onGap: () => void;
}

/** Shares a channel among the listeners of a process, because each PostgreSQL channel takes a connection. */
function shareChannels(open: Channels["listen"]): Channels["listen"] {
  const channels = new Map<string, { readonly listeners: Set<Listener>; readonly opened: ReturnType<typeof open> }>();
  return async (channel, onNotice, onGap) => {
    const listener = { onNotice, onGap };
    const known = channels.get(channel);
    const listeners = known?.listeners ?? new Set<Listener>();
    listeners.add(listener);
    const opened =
      known?.opened ??
      open(
        channel,
        (payload) => listeners.forEach((one) => one.onNotice(payload)),
        () => listeners.forEach((one) => one.onGap()),
      );
    channels.set(channel, { listeners, opened });
    const leave = (): boolean => {
      listeners.delete(listener);
      if (listeners.size > 0) return false;
      if (channels.get(channel)?.listeners === listeners) channels.delete(channel);
      return true;
    };
    try {
      await opened;
    } catch (error) {
      leave();
      throw error;
    }
    // Reports a possible gap, as the connection of the first listener does.
    if (known !== undefined) onGap();
    return {
      async close() {
        if (leave()) await (await opened).close();
      },
    };
  };
}

/** Part of the names of this process's channels. */
const processName = crypto.randomUUID().replaceAll("-", "_");

interface OpenQueues extends Channels {
  readonly boss: PgBoss;
  readonly stops: Set<() => Promise<void>>;
  readonly onError: (error: Error) => void;
}

async function openQueue<Job extends object>(
  { boss, listen, stops, onError }: OpenQueues,
  { name, keyOf, channel, concurrency: usualConcurrency, groups, retries }: QueueSettings<Job>,
): Promise<JobQueue<Job>> {
  const placeOf = (job: Job): { singletonKey?: string; group?: { id: string } } => ({
    ...(keyOf === undefined ? {} : { singletonKey: keyOf(job) }),
    ...(groups === undefined ? {} : { group: { id: groups.of(job) } }),
  });
  const options = {
    retryLimit: retries,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: RETRY_DELAY_MAX_MS / 1_000,
    expireInSeconds: JOB_TIMEOUT_MS / 1_000,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    retentionSeconds: RETENTION_SECONDS,
  };
  await boss.createQueue(name, { ...(keyOf === undefined ? {} : { policy: "exclusive" }), ...options });
  // Updates the settings, because an existing queue has those of the process that created it.
  await boss.updateQueue(name, options);
  const workers = new Set<JobWorker>();
  const ownChannel = `${channel}_${processName}`;
  /**
   * Notifies only this process if one of its workers is free. If this process ends first, other processes find the job
   * when they poll.
   */
  const channelOfTaker = (): string => ([...workers].some((worker) => worker.hasRoom()) ? ownChannel : channel);
  return {
    async add(job, transaction, delayMs = 0) {
      const db = transaction === undefined ? boss.getDb() : fromKysely(transaction);
      const send = (via: Pick<typeof db, "executeSql">): Promise<string | null> =>
        boss.send(name, job, {
          db: via,
          ...placeOf(job),
          ...(delayMs === 0 ? {} : { startAfter: delayMs / 1_000 }),
        });
      if (delayMs !== 0) {
        await send(db);
        workers.forEach((worker) => worker.expect(delayMs));
        return;
      }
      await send({
        executeSql: (text, values = []) =>
          db.executeSql(`with job as (${text}) select pg_notify($${values.length + 1}, '')`, [
            ...values,
            channelOfTaker(),
          ]),
      });
    },
    async insertion(job) {
      const inserts: RawBuilder<unknown>[] = [];
      const executeSql = (text: string, [value]: readonly unknown[] = []): Promise<{ rows: [] }> => {
        // SQL that adds jobs. Its only parameter is the list of jobs.
        const [first = "", ...rest] = text.split("$1").map((part) => sql.raw(part));
        inserts.push(sql.join([first, ...rest], sql`${value}`));
        return Promise.resolve({ rows: [] });
      };
      await boss.send(name, job, { ...placeOf(job), db: { executeSql } });
      return { insert: sql.join(inserts), notice: sql`pg_notify(${channelOfTaker()}, '')` };
    },
    async isUnderWay(job) {
      const jobs = await boss.findJobs<Job>(name, { data: job });
      return jobs.some(({ state }) => state === "active");
    },
    async work(handler, concurrency = usualConcurrency) {
      const pace = {
        concurrency,
        groupConcurrency: groups?.concurrency,
        pollMs: POLL_MS,
        idlePollMs: IDLE_POLL_MS,
        retryDelayMaxMs: RETRY_DELAY_MAX_MS,
        heartbeatMs: HEARTBEAT_MS,
      };
      const worker = workJobs<Job>({ boss, queue: name, handler, ...pace, onError });
      workers.add(worker);
      const listeners = [
        await listen(ownChannel, worker.wake, worker.wake),
        await listen(channel, worker.wakeSoon, worker.wake),
      ];
      const stop = async (): Promise<void> => {
        if (!stops.delete(stop)) return;
        workers.delete(worker);
        await worker.stop();
        for (const listener of listeners) await listener.close();
      };
      stops.add(stop);
      return { stop };
    },
  };
}
