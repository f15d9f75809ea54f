import type { Kysely } from "kysely";
import type { ConstructorOptions } from "pg-boss";

import type { StoreSchema } from "../schema.ts";

export interface OpenDatabase {
  readonly name: string;
  readonly db: Kysely<StoreSchema>;
  readonly schema: string | undefined;
  readonly queue: Pick<ConstructorOptions, "backend" | "connectionString" | "db" | "max" | "schema">;
}
