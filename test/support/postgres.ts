import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

import pg from "pg";

/** A PostgreSQL server in a child process. */
export interface PostgresServer {
  /** Without a database name. */
  readonly url: string;
  /** Creates an empty database, and returns its URL. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** Starts a server on a free port, with settings such as `work_mem=64MB`. It always exits with this process. */
export async function startPostgres(...settings: readonly string[]): Promise<PostgresServer> {
  const program = fileURLToPath(new URL("./postgresServer.ts", import.meta.url));
  const child = spawn(process.execPath, [program, ...settings], {
    stdio: ["pipe", "pipe", "inherit"],
    // The tests handle Ctrl-C: they exit first, and the server after them.
    detached: true,
  });
  const url = await readUrl(child);
  // The server must not keep this process alive.
  child.unref();
  for (const stream of [child.stdin, child.stdout]) (stream as Writable & { unref?(): void }).unref?.();
  let databases = 0;
  return {
    url,
    async createDatabase() {
      databases += 1;
      const name = `database_${databases}`;
      const client = new pg.Client({ connectionString: `${url}/postgres` });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      return `${url}/${name}`;
    },
    async stop() {
      const closed = new Promise((resolve) => child.once("close", resolve));
      child.ref();
      child.stdin.end();
      await closed;
    },
  };
}

async function readUrl(child: Child): Promise<string> {
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error("the PostgreSQL server ended before it was up");
}

let shared: Promise<PostgresServer> | undefined;

/** An empty database on the one server that all tests of this process share. */
export async function newPostgresDatabase(): Promise<string> {
  shared ??= startPostgres();
  return (await shared).createDatabase();
}
