import type { Kysely } from "kysely";
import type { ConstructorOptions } from "pg-boss";

import type { StoreSchema } from "../schema.ts";

/** A lease, which only one process on a database holds at a time. */
export interface Lease {
  isHeld(): boolean;
  /** Allows any other process to take the lease. */
  yield(): Promise<void>;
  close(): Promise<void>;
}

export interface OpenDatabase {
  readonly name: string;
  readonly db: Kysely<StoreSchema>;
  /** Connection for listings. PostgreSQL limits the time of their statements; PGlite cannot. */
  readonly reader: Kysely<StoreSchema>;
  readonly schema: string | undefined;
  readonly queue: Pick<ConstructorOptions, "backend" | "db" | "schema">;
  /** Requests a lease. `onGain` is called each time this process obtains it. */
  lease(name: string, onGain: () => void): Promise<Lease>;
  close(): Promise<void>;
}

/** Removes the password, and the parameters, which may also contain one. */
export function withoutPassword(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.password = "";
  url.search = "";
  url.hash = "";
  return url.href;
}
