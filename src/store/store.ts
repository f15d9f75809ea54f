import type { Kysely, Transaction } from "kysely";

import type { OpenDatabase } from "./databases/openDatabase.ts";
import { isNewFolder, openNewPglite, openPglite } from "./databases/openPglite.ts";
import { openPostgres } from "./databases/openPostgres.ts";
import { type CampaignJob, type JobQueue, openJobQueues } from "./jobs.ts";
import { migrate } from "./migrate.ts";
import { listenToScenarios } from "./scenarioChanges.ts";
import type { StoreSchema } from "./schema.ts";
import { listenToStatuses, type StatusListener } from "./statusChanges.ts";

/** A database handle: the store's own, or a transaction of it. */
export type Database = Kysely<StoreSchema>;

/** A transaction of the store. */
export type StoreTransaction = Transaction<StoreSchema>;

/** An open store: requests in SQL, and the job queue on the same database. */
export interface Store {
  readonly db: Database;
  /** Requests to advance. */
  readonly jobs: JobQueue;
  /** Requests with events for a webhook. */
  readonly deliveries: JobQueue;
  /** Fills of campaigns to replay. */
  replays(): Promise<JobQueue<CampaignJob>>;
  /** How many jobs wait or are worked on, by the name of their queue. */
  queueDepths(): Promise<ReadonlyMap<string, number>>;
  /** Tells a listener of each change of a request's status that any process commits, until `stop`. */
  onStatusChange(listener: StatusListener): Promise<{ stop(): Promise<void> }>;
  /** Tells a listener that some process set or cleared scenarios, until `stop`. */
  onScenarioChange(listener: () => void): Promise<{ stop(): Promise<void> }>;
  close(): Promise<void>;
}

/** Where a store lives: in a folder, on a PostgreSQL server, or in memory where neither is given. */
export interface StoreOptions {
  /** A folder that keeps the database over restarts. One process at a time may use it. */
  readonly folder?: string;
  /** URL of a PostgreSQL database. Any number of processes may use it at once. */
  readonly url?: string;
  /** Told of faults of the queue and of idle connections, that no caller waits for. */
  readonly onError: (error: Error) => void;
}

/**
 * Opens the store, and brings it to this version's schema.
 *
 * @throws {@link InvalidStateError} when the folder cannot be used
 * @throws {@link DatabaseError} when the server cannot be used, or a newer version wrote the database
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { onError } = options;
  const database = await openDatabase(options);
  const { db } = database;
  try {
    await migrate(database);
    const queues = await openJobQueues(database.queue, onError);
    return {
      db,
      jobs: queues.requests,
      deliveries: queues.deliveries,
      replays: () => queues.replays(),
      queueDepths: () => queues.depths(),
      onStatusChange: (listener) => listenToStatuses(queues, listener),
      onScenarioChange: (listener) => listenToScenarios(queues, listener),
      async close() {
        await queues.close();
        await db.destroy();
      },
    };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

async function openDatabase({ folder, url, onError }: StoreOptions): Promise<OpenDatabase> {
  if (url !== undefined) return openPostgres(url, onError);
  if (folder !== undefined && !(await isNewFolder(folder))) return openPglite(folder);
  return openNewPglite(folder, async (database) => {
    await migrate(database);
    await (await openJobQueues(database.queue, onError)).close();
  });
}
