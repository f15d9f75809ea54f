import { readFileSync, statSync } from "node:fs";
import { glob, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { ROOT } from "./publishedPackages.ts";
import { publishLinks, type Repository } from "./readmeLinks.ts";

/** Folders in `docs/` whose pages are generated for the site, so that no repository has them. */
const GENERATED = /^docs\/(?:api|commands)\//u;

/** Returns the text of a file in the checkout, `null` for a folder, or `undefined` if the path does not exist. */
export function readCheckout(path: string): string | null | undefined {
  const stats = statSync(join(ROOT, path), { throwIfNoEntry: false });
  return stats?.isDirectory() ? null : stats && readFileSync(join(ROOT, path), "utf8");
}

/** Where pages are copied from and to, and where their other links lead. */
export interface CopyPagesParameters extends Pick<Repository, "url" | "revision"> {
  /** Folder in the checkout. */
  readonly folder: string;
  /** Glob of the pages in it. */
  readonly pages: string;
  readonly target: string;
}

/** Copies pages of the documentation. Links between them stay relative, and the others lead to the repository. */
export async function copyPages({ folder, pages, target, url, revision }: CopyPagesParameters): Promise<void> {
  const copied: string[] = [];
  for await (const page of glob(pages, { cwd: join(ROOT, folder) })) copied.push(page);
  const paths = new Set(copied.map((page) => join(folder, page)));
  const repository: Repository = {
    url,
    revision,
    read: readCheckout,
    isPackaged: (path) => paths.has(path),
    isGenerated: (path) => GENERATED.test(path),
  };
  for (const page of copied) {
    const path = join(folder, page);
    await mkdir(dirname(join(target, page)), { recursive: true });
    await writeFile(
      join(target, page),
      publishLinks(await readFile(join(ROOT, path), "utf8"), dirname(path), repository),
    );
  }
}
