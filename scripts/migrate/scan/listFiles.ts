import type { Dirent } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import ignore, { type Ignore } from "ignore";

const ENDINGS = /\.(?:[cm]?[jt]s|[jt]sx)$/u;
const SKIPPED = new Set(["node_modules", "dist", ".git"]);

interface Rules {
  /** Relative to the root, with a trailing slash; empty for the root. */
  readonly base: string;
  readonly ignored: Ignore;
}

/**
 * TypeScript and JavaScript files in order of their paths, without `node_modules`, `dist`, `.git`, ignored files, and
 * links.
 *
 * @returns relative paths with slashes
 */
export async function* listFiles(root: string, signal: AbortSignal): AsyncGenerator<string> {
  yield* walk(root, "", [], signal);
}

async function* walk(root: string, base: string, above: readonly Rules[], signal: AbortSignal): AsyncGenerator<string> {
  signal.throwIfAborted();
  const entries = await readdir(join(root, base), { withFileTypes: true });
  const rules = [...above, ...(await readRules(root, base, entries))];
  for (const entry of entries.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
    const path = base + entry.name;
    if (entry.isDirectory()) {
      if (!SKIPPED.has(entry.name) && !isIgnored(rules, `${path}/`)) yield* walk(root, `${path}/`, rules, signal);
    } else if (entry.isFile() && ENDINGS.test(entry.name) && !isIgnored(rules, path)) {
      yield path;
    }
  }
}

async function readRules(root: string, base: string, entries: readonly Dirent[]): Promise<Rules[]> {
  if (!entries.some((entry) => entry.isFile() && entry.name === ".gitignore")) return [];
  return [{ base, ignored: ignore().add(await readFile(join(root, base, ".gitignore"), "utf8")) }];
}

function isIgnored(rules: readonly Rules[], path: string): boolean {
  return rules.some(({ base, ignored }) => ignored.ignores(path.slice(base.length)));
}
