import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";

import type { ReleaseLevel } from "./releaseLevel.ts";

/** Levels of the changesets in `.changeset/`. */
export async function readChangesets(root: string): Promise<readonly ReleaseLevel[]> {
  const levels: ReleaseLevel[] = [];
  for await (const path of glob(".changeset/*.md", { cwd: root })) {
    const text = await readFile(join(root, path), "utf8");
    const head = /^---\n(?<head>[\s\S]*?)^---$/mu.exec(text)?.groups?.head ?? "";
    for (const [, level] of head.matchAll(/: *["']?(patch|minor|major)\b/gu)) levels.push(level as ReleaseLevel);
  }
  return levels;
}
