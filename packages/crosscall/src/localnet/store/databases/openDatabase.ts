import type { Kysely } from "kysely";
import type { ConstructorOptions } from "pg-boss";

import type { StoreSchema } from "../schema.ts";

/** Of the processes on a database, one at a time holds it. */
export interface Lease {
  isHeld(): boolean;
  /** Lets another process take it, if there is one. */
  yield(): Promise<void>;
  close(): Promise<void>;
}

export interface OpenDatabase {
  readonly name: string;
  readonly db: Kysely<StoreSchema>;
  /** For listings. PostgreSQL ends their statements after a time; PGlite cannot end one. */
  readonly reader: Kysely<StoreSchema>;
  readonly schema: string | undefined;
  readonly queue: Pick<ConstructorOptions, "backend" | "db" | "schema">;
  /** `onGain` is called each time that this process takes it. */
  lease(name: string, onGain: () => void): Promise<Lease>;
  close(): Promise<void>;
}

/** Without password and parameters, which may also contain one. */
export function withoutPassword(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.password = "";
  url.search = "";
  url.hash = "";
  return url.href;
}
