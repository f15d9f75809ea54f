import { Kysely, PostgresDialect } from "kysely";
import pg, { TypeOverrides } from "pg";

import { DatabaseError, type DatabaseFlaw } from "../databaseError.ts";
import { QUERY_TIMEOUT_MS } from "../queryTooExpensive.ts";
import type { StoreSchema } from "../schema.ts";
import type { OpenDatabase } from "./openDatabase.ts";
import { withoutPassword } from "./withoutPassword.ts";

/** A database may have other tables too. */
const SCHEMA = "crosscall";

const QUEUE_SCHEMA = "crosscall_jobs";

const CONNECTIONS = 10;
const READER_CONNECTIONS = 5;
const QUEUE_CONNECTIONS = 4;

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Any number of processes may use the database at once.
 *
 * @param url `postgres://user:password@host:port/database`
 * @param onError called with errors of idle connections
 * @throws {@link DatabaseError} if the server does not answer, or rejects the connection
 */
export async function openPostgres(url: string, onError: (error: Error) => void): Promise<OpenDatabase> {
  const pool = openPool(url, CONNECTIONS, onError);
  const name = withoutPassword(url);
  try {
    // Several processes may start at once; one creates the schema.
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
    reader: new Kysely<StoreSchema>({
      dialect: new PostgresDialect({
        pool: openPool(url, READER_CONNECTIONS, onError, `-c statement_timeout=${QUERY_TIMEOUT_MS}`),
      }),
    }),
    schema: SCHEMA,
    queue: { connectionString: url, max: QUEUE_CONNECTIONS, schema: QUEUE_SCHEMA, backend: "postgres" },
  };
}

function openPool(url: string, max: number, onError: (error: Error) => void, settings = ""): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    options: `-c search_path=${SCHEMA} ${settings}`,
    types: typeParsers,
  });
  pool.on("error", onError);
  return pool;
}

/** 64-bit numbers are chain ids and block numbers, which are exact as numbers. */
const typeParsers = new TypeOverrides();
typeParsers.setTypeParser(pg.types.builtins.INT8, Number);

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
