import { Kysely, PostgresDialect } from "kysely";
import pg, { TypeOverrides } from "pg";

import { DatabaseError, type DatabaseFlaw } from "../databaseError.ts";
import type { StoreSchema } from "../schema.ts";
import type { OpenDatabase } from "./openDatabase.ts";
import { withoutPassword } from "./withoutPassword.ts";

/** The schema of the kit's tables: a database may have other tables beside them. */
const SCHEMA = "crosscall";

/** The schema of the job queue's tables. */
const QUEUE_SCHEMA = "crosscall_jobs";

/** How many connections one process holds for its own statements, and for the queue's. */
const CONNECTIONS = 10;
const QUEUE_CONNECTIONS = 4;

/** How long a connection may take to come up, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Opens a PostgreSQL database, which any number of processes may use at once. All that the kit keeps there is in two
 * schemas of its own.
 *
 * @param url as PostgreSQL's own tools take it: `postgres://user:password@host:port/database`
 * @param onError told of connections that are lost while nobody uses them
 * @throws {@link DatabaseError} when the server does not answer, or refuses
 */
export async function openPostgres(url: string, onError: (error: Error) => void): Promise<OpenDatabase> {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    options: `-c search_path=${SCHEMA}`,
    types: typeParsers,
  });
  pool.on("error", onError);
  const name = withoutPassword(url);
  try {
    // Of all processes that start at once one makes the schema, and the others find it.
    await pool.query(`
      begin;
      select pg_advisory_xact_lock(hashtextextended('crosscall.schema', 0));
      create schema if not exists ${SCHEMA};
      commit`);
  } catch (cause) {
    await pool.end();
    throw new DatabaseError({ database: name, flaw: flawOf(cause), cause });
  }
  return {
    name,
    db: new Kysely<StoreSchema>({ dialect: new PostgresDialect({ pool }) }),
    schema: SCHEMA,
    queue: { connectionString: url, max: QUEUE_CONNECTIONS, schema: QUEUE_SCHEMA, backend: "postgres" },
  };
}

/** 64-bit numbers are ids of chains and numbers of blocks: exact as numbers. */
const typeParsers = new TypeOverrides();
typeParsers.setTypeParser(pg.types.builtins.INT8, Number);

/** What a failed first connection means. */
function flawOf(error: unknown): DatabaseFlaw {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    // PostgreSQL, appendix A: invalid_authorization, invalid_password, insufficient_privilege.
    case "28000":
    case "28P01":
    case "42501":
      return "access-denied";
    case "3D000":
      return "missing";
    default:
      return "unreachable";
  }
}
