import type { Kysely } from "kysely";
import type { ConstructorOptions } from "pg-boss";

import type { StoreSchema } from "../schema.ts";

export interface OpenDatabase {
  readonly name: string;
  readonly db: Kysely<StoreSchema>;
  /** For listings. PostgreSQL ends their statements after a time; PGlite cannot end one. */
  readonly reader: Kysely<StoreSchema>;
  readonly schema: string | undefined;
  readonly queue: Pick<ConstructorOptions, "backend" | "db" | "schema">;
  close(): Promise<void>;
}
