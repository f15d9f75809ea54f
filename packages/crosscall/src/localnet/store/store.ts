import { sql } from "kysely";

import { DatabaseError } from "./databaseError.ts";
import { lockFolder } from "./databases/lockFolder.ts";
import type { Lease, OpenDatabase } from "./databases/openDatabase.ts";
import { isNewFolder, openNewPglite, openPglite } from "./databases/openPglite.ts";
import { openPostgres } from "./databases/openPostgres.ts";
import { type CampaignJob, type DeliveryJob, type JobQueue, openJobQueues } from "./jobs.ts";
import { migrate } from "./migrate.ts";
import {
  listenToClock,
  listenToCreations,
  listenToHolds,
  listenToLedger,
  listenToPending,
  listenToScenarios,
  listenToStatuses,
  type PendingListener,
  type StatusListener,
} from "./notices.ts";
import type { Database } from "./schema.ts";

export interface Store {
  readonly db: Database;
  /** Connection for listings, with a time limit on PostgreSQL. */
  readonly reader: Database;
  /** @throws {@link DatabaseError} if the database does not respond, or is read-only */
  requireWritable(): Promise<void>;
  /**
   * Requests a lease that one process on the database holds at a time. `onGain` runs each time this process gets the
   * lease.
   */
  lease(name: string, onGain: () => void): Promise<Lease>;
  /** Records the service's base URL for a second process that starts on the same folder. */
  publish(url: string): void;
  readonly jobs: JobQueue;
  readonly deliveries: JobQueue<DeliveryJob>;
  replays(): Promise<JobQueue<CampaignJob>>;
  queueDepths(): Promise<ReadonlyMap<string, number>>;
  onStatusChange(listener: StatusListener): Promise<{ stop(): Promise<void> }>;
  /** Calls the listener with the ids of new requests. */
  onCreation(listener: (requestId: string) => void): Promise<{ stop(): Promise<void> }>;
  /** Calls the listener with the ids of requests whose fill is held or released. */
  onHoldChange(listener: (requestId: string) => void): Promise<{ stop(): Promise<void> }>;
  /** Reports transactions that are signed but not included yet. */
  onPendingTransaction(listener: PendingListener): Promise<{ stop(): Promise<void> }>;
  onScenarioChange(listener: () => void): Promise<{ stop(): Promise<void> }>;
  /** Reports committed changes of a simulated chain's ledger. */
  readonly onLedgerChange: (chainId: number, listener: () => void) => Promise<{ stop(): Promise<void> }>;
  onClockChange(listener: () => void): Promise<{ stop(): Promise<void> }>;
  close(): Promise<void>;
}

export interface StoreOptions {
  /** Folder of the database; only one process can use it at a time. */
  readonly folder?: string;
  /** URL of a PostgreSQL database; any number of processes can use it at once. */
  readonly url?: string;
  /** Called with errors of the queue and of idle connections, which occur outside of calls. */
  readonly onError: (error: Error) => void;
}

/**
 * @throws {@link InvalidStateError} if the folder cannot be used
 *
 * @throws {@link DatabaseError} if the server cannot be used, another process uses the folder, or another
 *   version wrote the database
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { folder, onError } = options;
  const lock = folder === undefined ? undefined : await lockFolder(folder);
  let database: OpenDatabase | undefined;
  const close = async (): Promise<void> => {
    await database?.close();
    lock?.release();
  };
  try {
    const opened = await openDatabase(options);
    database = opened;
    const { db, reader, name } = opened;
    await migrate(opened);
    const queues = await openJobQueues(opened.queue, onError);
    return {
      db,
      reader,
      async requireWritable() {
        const setting = sql<{ isReadOnly: boolean }>`
          select current_setting('transaction_read_only')::boolean as "isReadOnly"`;
        const { rows } = await setting.execute(db);
        if (rows[0]?.isReadOnly === true) throw new DatabaseError({ database: name, flaw: "read-only" });
      },
      lease: (task, onGain) => opened.lease(task, onGain),
      publish: (url) => lock?.publish(url),
      jobs: queues.requests,
      deliveries: queues.deliveries,
      replays: () => queues.replays(),
      queueDepths: () => queues.depths(),
      onStatusChange: (listener) => listenToStatuses(queues, listener),
      onCreation: (listener) => listenToCreations(queues, listener),
      onHoldChange: (listener) => listenToHolds(queues, listener),
      onPendingTransaction: (listener) => listenToPending(queues, listener),
      onScenarioChange: (listener) => listenToScenarios(queues, listener),
      onLedgerChange: (chainId, listener) => listenToLedger(queues, chainId, listener),
      onClockChange: (listener) => listenToClock(queues, listener),
      async close() {
        await queues.close();
        await close();
      },
    };
  } catch (error) {
    await close();
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
