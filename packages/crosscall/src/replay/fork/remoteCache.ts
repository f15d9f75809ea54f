import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export interface RemoteCache {
  /** Returns a cached result, or undefined if there is none. */
  read(method: string, params: readonly unknown[]): unknown;
  keep(method: string, params: readonly unknown[], result: unknown): void;
  /** Waits until all entries are on disk. */
  flush(): Promise<void>;
}

export function createMemoryCache(): RemoteCache {
  return cacheOf(new Map(), () => Promise.resolve());
}

/**
 * Opens a cache of chain reads at a block, or of the last known blocks of a URL. Each entry is one line. Several
 * processes can append to a file, and a crash while writing loses only one entry.
 */
export async function openRemoteCache(folder: string, name: string): Promise<RemoteCache> {
  const path = join(folder, `${name}.jsonl`);
  await mkdir(folder, { recursive: true });
  return cacheOf(await readEntries(path), (lines) => appendFile(path, lines));
}

/** Opens the cache in a folder, or in memory without a folder. */
export async function openSourceCache(cacheFolder: string | undefined, rpcUrl: string): Promise<RemoteCache> {
  if (cacheFolder === undefined) return createMemoryCache();
  const name = createHash("sha256").update(rpcUrl).digest("hex").slice(0, 32);
  return openRemoteCache(join(cacheFolder, "sources"), name);
}

function cacheOf(entries: Map<string, unknown>, write: (lines: string) => Promise<void>): RemoteCache {
  let pending: string[] = [];
  let writing: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => {
    const lines = pending;
    pending = [];
    // Ignores errors, because a full disk must not fail this run.
    if (lines.length > 0) writing = writing.then(() => write(lines.join(""))).catch(() => undefined);
    return writing;
  };
  return {
    read: (method, params) => entries.get(keyOf(method, params)),
    keep(method, params, result) {
      const key = keyOf(method, params);
      const line = JSON.stringify([key, result]);
      if (entries.has(key) && JSON.stringify([key, entries.get(key)]) === line) return;
      entries.set(key, result);
      pending.push(`\n${line}`);
      // Writes once per turn of the event loop.
      if (pending.length === 1) setImmediate(() => void flush());
    },
    flush,
  };
}

function keyOf(method: string, params: readonly unknown[]): string {
  return `${method} ${JSON.stringify(params)}`.toLowerCase();
}

async function readEntries(path: string): Promise<Map<string, unknown>> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  });
  const entries = new Map<string, unknown>();
  for (const line of text.split("\n")) {
    try {
      const [key, result] = JSON.parse(line) as [string, unknown];
      entries.set(key, result);
    } catch {
      continue;
    }
  }
  return entries;
}
