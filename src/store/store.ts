import { PGlite } from "@electric-sql/pglite";
import { Kysely, PGliteDialect } from "kysely";
import { fromPglite } from "pg-boss";

import { InvalidStateError } from "../core/errors.ts";
import { type JobQueue, openJobQueue } from "./jobs.ts";
import { migrate } from "./migrate.ts";
import { listenToStatuses, type StatusChange } from "./statusChanges.ts";
import type { StoreSchema } from "./schema.ts";

/** A database handle: the store's own, or a transaction of it. */
export type Database = Kysely<StoreSchema>;

/** An open store: requests in SQL, and the job queue on the same database. */
export interface Store {
  readonly db: Database;
  readonly jobs: JobQueue;
  /** Tells a listener of each change of a request's status that is committed, until `stop`. */
  onStatusChange(listener: (change: StatusChange) => void): Promise<{ stop(): Promise<void> }>;
  close(): Promise<void>;
}

/** Where a store lives. */
export interface StoreOptions {
  /** A folder that keeps the database over restarts; memory when left out. One process at a time may use it. */
  readonly folder?: string;
  /** Told of faults of the queue that no caller waits for. */
  readonly onError: (error: Error) => void;
}

/**
 * Opens the store, and brings it to this version's schema.
 *
 * @throws {@link InvalidStateError} when the folder cannot be used
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const pglite = await openPglite(options.folder);
  const db = new Kysely<StoreSchema>({ dialect: new PGliteDialect({ pglite }) });
  try {
    await migrate(db);
    const jobs = await openJobQueue({ db: fromPglite(pglite), backend: "pglite" }, options.onError);
    return {
      db,
      jobs,
      onStatusChange: (listener) => listenToStatuses(pglite, listener),
      async close() {
        await jobs.close();
        await db.destroy();
      },
    };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

async function openPglite(folder: string | undefined): Promise<PGlite> {
  try {
    return await PGlite.create(folder ?? "memory://");
  } catch (error) {
    throw new InvalidStateError({
      message: `the database ${folder ?? "in memory"} could not be opened`,
      cure: "Check that the folder can be written, that no other process uses it, and that a database made it.",
      cause: error,
    });
  }
}
