import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { rsort, valid } from "semver";

import type { ApiReports } from "./compareReports.ts";

/** Folder of the API reports in the checkout. */
export const REPORTS_FOLDER = "snapshots/api";

/** The release that the checkout follows. */
export interface LastRelease {
  readonly version: string;
  readonly reports: ApiReports;
}

/** Reads the last release's reports from Git, where a tag names its commit. Undefined if Git knows no release. */
export async function readLastRelease(root: string): Promise<LastRelease | undefined> {
  const git = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)("git", args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
    return stdout.trim();
  };
  const isCheckout = await git("rev-parse", "--verify", "--quiet", "HEAD").then(
    () => true,
    () => false,
  );
  if (!isCheckout) return undefined;
  const tags = (await git("tag", "--list", "v*", "--merged", "HEAD")).split("\n");
  const [version] = rsort(tags.map((tag) => tag.slice(1)).filter((name) => valid(name) === name));
  if (version === undefined) return undefined;
  const list = await git("ls-tree", "--name-only", `v${version}`, `${REPORTS_FOLDER}/`);
  const paths = list.split("\n").filter((path) => path !== "");
  const reports = await Promise.all(
    paths.map(
      async (path) => [path.slice(REPORTS_FOLDER.length + 1), await git("show", `v${version}:${path}`)] as const,
    ),
  );
  return { version, reports: Object.fromEntries(reports) };
}
