import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Writable } from "node:stream";
import { fileURLToPath } from "node:url";

import pg from "pg";

export type ShutdownMode = "fast" | "immediate" | "kill";

/** PostgreSQL server in a child process. */
export interface PostgresServer {
  /** Server URL without a database name. */
  readonly url: string;
  /** Process ID of the server's root process. */
  readonly pid: number;
  /** Creates an empty database, and returns its URL. */
  createDatabase(): Promise<string>;
  /** Shuts the server down with a PostgreSQL shutdown mode, or kills it with SIGKILL. */
  shutDown(mode: ShutdownMode): Promise<void>;
  /** Restarts the server with the same data and port. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server on a free port, with settings such as `work_mem=64MB`. The server always exits with this process. */
export async function startPostgres(...settings: readonly string[]): Promise<PostgresServer> {
  const program = fileURLToPath(new URL("./postgresServer.ts", import.meta.url));
  const child = spawn(process.execPath, [program, ...settings], {
    stdio: ["pipe", "pipe", "inherit"],
    // On Ctrl-C, the tests exit first, and the server exits after them.
    detached: true,
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const url = await readUrl(lines);
  // The server must not keep this process alive.
  child.unref();
  for (const stream of [child.stdin, child.stdout]) (stream as Writable & { unref?(): void }).unref?.();
  const command = async (name: string): Promise<void> => {
    child.stdin.write(`${name}\n`);
    await readUrl(lines);
  };
  let databases = 0;
  return {
    url,
    pid: child.pid ?? 0,
    async createDatabase() {
      databases += 1;
      const name = `database_${databases}`;
      const client = new pg.Client({ connectionString: `${url}/postgres` });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      return `${url}/${name}`;
    },
    shutDown: (mode) => command(mode),
    start: () => command("start"),
    async stop() {
      const closed = new Promise((resolve) => child.once("close", resolve));
      child.ref();
      child.stdin.end();
      await closed;
    },
  };
}

async function readUrl(lines: AsyncIterator<string, undefined>): Promise<string> {
  const line = await lines.next();
  if (line.done === true) throw new Error("the PostgreSQL server ended before it was up");
  return line.value;
}

let shared: Promise<PostgresServer> | undefined;

/** Creates an empty database on the server that all tests of this process share. */
export async function newPostgresDatabase(): Promise<string> {
  shared ??= startPostgres();
  return (await shared).createDatabase();
}
