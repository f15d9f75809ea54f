import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import pg, { TypeOverrides } from "pg";

import { DatabaseError, type DatabaseFlaw } from "../databaseError.ts";
import { withoutPassword } from "./openDatabase.ts";

export interface PostgresSettings {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** Called with errors of lost connections. */
  readonly onError: (error: Error) => void;
}

export interface PoolSettings extends PostgresSettings {
  readonly max: number;
  /** Whether frequent statements are planned once per connection. Disable it if the best plan depends on values. */
  readonly isPrepared: boolean;
  /** Settings for each session, such as `-c search_path=crosscall`. */
  readonly options?: string;
}

const CONNECT_TIMEOUT_MS = 10_000;

/** Maximum number of named statements, because each connection keeps all plans. */
const NAMES_MAX = 200;
const SEEN_MAX = 1_000;

const SESSION_QUERY_TIMEOUT_MS = 5_000;

/**
 * Creates a pool that opens connections as needed and replaces lost connections. `connect` throws a {@link
 * DatabaseError} if the server does not respond or rejects the connection. `query` throws it if the connection is lost.
 * SQL errors are `pg` errors.
 */
export function openPool({ url, max, isPrepared, options, onError }: PoolSettings): PostgresPool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: typeParsers,
    ...(options === undefined ? {} : { options }),
  });
  const nameOf = isPrepared ? nameStatements() : () => undefined;
  // Only reports errors of idle connections, because the pool removes these connections.
  pool.on("error", onError);
  // A connection in use can fail between two statements, when no caller is waiting.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect().catch((cause: unknown) => {
        throw new DatabaseError({ database: withoutPassword(url), flaw: flawOf(cause), cause });
      });
      return {
        query: toQuery(client, nameOf, withoutPassword(url)),
        release: (isBroken) => client.release(isBroken),
      };
    },
    end: () => pool.end(),
  };
}

type NameOf = (text: string) => string | undefined;

/** Names a statement at its second use, because listings produce many statements that are used only once. */
function nameStatements(): NameOf {
  const seen = new Set<string>();
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= NAMES_MAX) return known;
    if (!seen.has(text)) {
      if (seen.size >= SEEN_MAX) seen.clear();
      seen.add(text);
      return undefined;
    }
    const name = `crosscall_${names.size}`;
    names.set(text, name);
    return name;
  };
}

function toQuery(client: pg.PoolClient, nameOf: NameOf, database: string): PostgresPoolClient["query"] {
  function query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  function query(text: string | PostgresCursor<unknown>, values: readonly unknown[] = []): unknown {
    if (typeof text !== "string") throw new TypeError("this pool does not support cursors");
    const name = values.length === 0 ? undefined : nameOf(text);
    const statement = { text, values: [...values], ...(name === undefined ? {} : { name }) };
    return client.query(statement).catch((cause: unknown) => {
      const flaw = lossOf(cause);
      throw flaw === undefined ? cause : new DatabaseError({ database, flaw, cause });
    });
  }
  return query;
}

/** Opens a dedicated connection for notices and locks. The client emits `end` when the connection is lost. */
export async function openSessionClient({ url, onError }: PostgresSettings): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: SESSION_QUERY_TIMEOUT_MS,
    keepAlive: true,
    // Lets the server detect a lost machine within 30 seconds, and release its locks.
    options: "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3",
  });
  client.on("error", onError);
  await client.connect();
  return client;
}

/** Parsers of column types. 64-bit integers become numbers, which are exact for chain ids and block numbers. */
const typeParsers = new TypeOverrides();
typeParsers.setTypeParser(pg.types.builtins.INT8, Number);

/** Error codes of PostgreSQL for connection exceptions, and for shutdown, crash or startup of the server. */
const LOST = /^(?:08|57P0)/u;

/** Error codes of PostgreSQL for a full disk and for a change in a read-only transaction. */
const FLAWS: Readonly<Record<string, DatabaseFlaw>> = { "53100": "disk-full", "25006": "read-only" };

/** Returns the reason for an error of the connection or the server; undefined for an error in the statement. */
function lossOf(error: unknown): DatabaseFlaw | undefined {
  if (error instanceof TypeError || error instanceof RangeError) return undefined;
  // Errors that are not from the server are socket errors.
  if (!(error instanceof pg.DatabaseError) || LOST.test(error.code ?? "")) return "connection-lost";
  return FLAWS[error.code ?? ""];
}

function flawOf(error: unknown): DatabaseFlaw {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    // Error codes of PostgreSQL: invalid_authorization, invalid_password, insufficient_privilege.
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
