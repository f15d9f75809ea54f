import { DatabaseSync } from "node:sqlite";

import type { Quote } from "@crosscall/protocol";

/** A supply that a caller requested, with the caller's id. */
export interface Supply {
  readonly id: string;
  readonly requestId: string;
  /** The last status of the request: `success`, `refund` and `failure` are final. */
  readonly status: string;
}

export type Store = ReturnType<typeof openStore>;

/** Opens the database with supplies, their quotes, and the steps that were started. */
export function openStore(path: string) {
  const database = new DatabaseSync(path);
  database.exec(`
    CREATE TABLE IF NOT EXISTS supplies (id TEXT PRIMARY KEY, requestId TEXT, quote TEXT, status TEXT) STRICT;
    CREATE TABLE IF NOT EXISTS journal (key TEXT PRIMARY KEY, value TEXT) STRICT;
  `);
  const select = "SELECT id, requestId, status FROM supplies";
  const insert = database.prepare("INSERT INTO supplies (id, requestId, quote, status) VALUES (?, ?, ?, 'waiting')");
  const byId = database.prepare(`${select} WHERE id = ?`);
  const open = database.prepare("SELECT id, quote FROM supplies WHERE status NOT IN ('success', 'refund', 'failure')");
  const setStatus = database.prepare("UPDATE supplies SET status = ? WHERE id = ?");
  const setRequestId = database.prepare("UPDATE supplies SET requestId = ? WHERE id = ?");
  const readEntry = database.prepare("SELECT value FROM journal WHERE key = ?");
  const writeEntry = database.prepare("INSERT OR REPLACE INTO journal (key, value) VALUES (?, ?)");

  return {
    add(id: string, requestId: string, quote: Quote): void {
      insert.run(id, requestId, JSON.stringify(quote));
    },
    find(id: string): Supply | undefined {
      return byId.get(id) as Supply | undefined;
    },
    /** Supplies that have not ended. */
    listOpen(): readonly { id: string; quote: Quote }[] {
      return open.all().map(({ id, quote }) => ({ id: String(id), quote: JSON.parse(String(quote)) as Quote }));
    },
    setStatus(id: string, status: string): void {
      setStatus.run(status, id);
    },
    setRequestId(id: string, requestId: string): void {
      setRequestId.run(requestId, id);
    },
    /** Records the steps that `executeSteps` has started, so that a restart does not pay twice. */
    journal: {
      async get(key: string): Promise<string | undefined> {
        return readEntry.get(key)?.value as string | undefined;
      },
      async set(key: string, value: string): Promise<void> {
        writeEntry.run(key, value);
      },
    },
    close(): void {
      database.close();
    },
  };
}
