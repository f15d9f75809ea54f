/** Functions of Git, npm, the site and the terminal that a release needs. */
export interface ReleaseTools {
  /** Whether the working tree equals the commit. */
  isClean(): Promise<boolean>;
  /** Commit of a tag; undefined if the tag does not exist. */
  commitOfTag(tag: string): Promise<string | undefined>;
  headCommit(): Promise<string>;
  tag(tag: string): Promise<void>;
  /** Whether a page exists. */
  isReachable(url: string): Promise<boolean>;
  /** Whether npm has this version of the package. */
  isPublished(name: string, version: string): Promise<boolean>;
  publish(name: string, isDryRun: boolean): Promise<void>;
  /** Builds and checks the packages. */
  check(): Promise<void>;
  confirm(question: string): Promise<boolean>;
  log(line: string): void;
}

export interface Release {
  readonly version: string;
  /** In the order of their dependencies. */
  readonly packages: readonly string[];
  /** Site that error messages link to. */
  readonly homepage: string;
  /** Number of changesets that the version does not contain yet. */
  readonly changesets: number;
  readonly isInChangelog: boolean;
  /** Publishes nothing and tags nothing. */
  readonly isDryRun: boolean;
}

/** How a release ended. A part of a release that fails throws; run it again to publish the rest. */
export type ReleaseResult =
  | { readonly status: "refused"; readonly obstacles: readonly string[] }
  | { readonly status: "declined" }
  | { readonly status: "tried"; readonly obstacles: readonly string[]; readonly packages: readonly string[] }
  | { readonly status: "published"; readonly packages: readonly string[]; readonly tag: string };

/**
 * Publishes the packages that npm does not have yet, and tags the commit. Changes nothing if the release is not ready, or if
 * the user declines. A dry run continues despite obstacles, and returns them.
 */
export async function publishRelease(release: Release, tools: ReleaseTools): Promise<ReleaseResult> {
  const { version, packages, isDryRun } = release;
  const obstacles = await findObstacles(release, tools);
  if (obstacles.length > 0 && !isDryRun) return { status: "refused", obstacles };
  await tools.check();
  // Generated files that the build writes must be part of the commit.
  if (!isDryRun && !(await tools.isClean())) return { status: "refused", obstacles: ["the checks changed files"] };

  const missing: string[] = [];
  for (const name of packages) {
    if (await tools.isPublished(name, version)) tools.log(`${name}@${version} is already published`);
    else missing.push(name);
  }
  const list = missing.map((name) => `${name}@${version}`).join(", ");
  if (!isDryRun && missing.length > 0 && !(await tools.confirm(`Publish ${list}?`))) return { status: "declined" };
  for (const name of missing) {
    await tools.publish(name, isDryRun);
    tools.log(`${isDryRun ? "would publish" : "published"} ${name}@${version}`);
  }
  if (isDryRun) return { status: "tried", obstacles, packages: missing };
  const tag = toTag(version);
  if ((await tools.commitOfTag(tag)) === undefined) await tools.tag(tag);
  return { status: "published", packages: missing, tag };
}

async function findObstacles(release: Release, tools: ReleaseTools): Promise<readonly string[]> {
  const { version, homepage, changesets, isInChangelog } = release;
  const obstacles: string[] = [];
  if (!(await tools.isClean())) obstacles.push("the working tree has changes: commit them");
  if (changesets > 0) obstacles.push(`${changesets} changesets are not in a version: run \`npm run version\``);
  if (!isInChangelog) obstacles.push(`CHANGELOG.md has no section ${version}: run \`npm run version\``);
  const tagged = await tools.commitOfTag(toTag(version));
  if (tagged !== undefined && tagged !== (await tools.headCommit())) {
    obstacles.push(`${toTag(version)} is the tag of another commit: run \`npm run version\``);
  }
  const page = `${homepage}/llms.txt`;
  if (!(await tools.isReachable(page)))
    obstacles.push(`${page} does not respond, and error messages link to this site`);
  return obstacles;
}

function toTag(version: string): string {
  return `v${version}`;
}
