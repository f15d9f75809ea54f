import type { Kysely } from "kysely";
import type { ConstructorOptions } from "pg-boss";

import type { StoreSchema } from "../schema.ts";

/** A database that is open, whichever kind it is of. */
export interface OpenDatabase {
  /** How errors name it, without a password. */
  readonly name: string;
  readonly db: Kysely<StoreSchema>;
  /** The schema that the tables are in, where the dialect must be told. */
  readonly schema: string | undefined;
  /** What the job queue opens the same database with. */
  readonly queue: Pick<ConstructorOptions, "backend" | "connectionString" | "db" | "max" | "schema">;
}
