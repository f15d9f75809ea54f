import { Kysely, PostgresDialect, type PostgresPool, type PostgresQueryResult } from "kysely";

import { QUERY_TIMEOUT_MS } from "../queryTooExpensive.ts";
import type { StoreSchema } from "../schema.ts";
import { type OpenDatabase, withoutPassword } from "./openDatabase.ts";
import { openPool, openSessionClient } from "./postgresClients.ts";
import { openSession } from "./postgresSession.ts";

/** Name of the schema, which is separate, because the database can contain other tables. */
const SCHEMA = "crosscall";

const QUEUE_SCHEMA = "crosscall_jobs";

const CONNECTIONS = 10;
const READER_CONNECTIONS = 5;
const QUEUE_CONNECTIONS = 4;

/**
 * Opens a PostgreSQL database, which any number of processes can use at once. Reopens lost connections.
 *
 * @param url `postgres://user:password@host:port/database`
 * @param onError called with errors of lost connections outside of statements
 * @throws {@link DatabaseError} if the server does not respond, or rejects the connection
 */
export async function openPostgres(url: string, onError: (error: Error) => void): Promise<OpenDatabase> {
  const searchPath = `-c search_path=${SCHEMA}`;
  const pool = openPool({ url, max: CONNECTIONS, isPrepared: true, options: searchPath, onError });
  try {
    // Locks the creation of the schema, because several processes can start at the same time.
    await query(
      pool,
      `
      begin;
      select pg_advisory_xact_lock(hashtextextended('crosscall.schema', 0));
      create schema if not exists ${SCHEMA};
      commit`,
    );
  } catch (error) {
    await pool.end();
    throw error;
  }
  const options = `${searchPath} -c statement_timeout=${QUERY_TIMEOUT_MS}`;
  const readers = openPool({ url, max: READER_CONNECTIONS, isPrepared: false, options, onError });
  const queue = openPool({ url, max: QUEUE_CONNECTIONS, isPrepared: true, onError });
  const session = openSession({ connect: () => openSessionClient({ url, onError }), onError });
  return {
    name: withoutPassword(url),
    db: new Kysely<StoreSchema>({ dialect: new PostgresDialect({ pool }) }),
    reader: new Kysely<StoreSchema>({ dialect: new PostgresDialect({ pool: readers }) }),
    schema: SCHEMA,
    queue: {
      db: {
        executeSql: (text, values) => query(queue, text, values),
        listen: (...channel) => session.listen(...channel),
      },
      schema: QUEUE_SCHEMA,
      backend: "postgres",
    },
    lease: (name, onGain) => session.lease(name, onGain),
    async close() {
      await session.close();
      await Promise.all([pool, readers, queue].map((one) => one.end()));
    },
  };
}

async function query(
  pool: PostgresPool,
  text: string,
  values: readonly unknown[] = [],
): Promise<PostgresQueryResult<Record<string, unknown>>> {
  const connection = await pool.connect();
  try {
    const result = await connection.query<Record<string, unknown>>(text, values);
    connection.release();
    return result;
  } catch (error) {
    // Closes the connection, because a script can leave a transaction open.
    connection.release(true);
    throw error;
  }
}
