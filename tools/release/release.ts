// Publishes the packages to npm: `npm run release`. Checks them first and asks. Run it again if it fails halfway: it skips
// what npm already has.
import { execFile, execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs, promisify } from "node:util";

import { BUILT_PACKAGES, PUBLISHED_PACKAGES, ROOT } from "../packages/publishedPackages.ts";
import { publishRelease, type ReleaseResult, type ReleaseTools } from "./publishRelease.ts";
import { readChangesets } from "./releaseLevel.ts";
import { isInChangelog } from "./releaseChangelog.ts";
import { writeSboms } from "./writeSboms.ts";

const USAGE = `npm run release [-- options]: checks the packages and publishes them to npm.

  --dry-run        publish nothing
  --yes            do not ask
  --no-provenance  publish without provenance, which npm can make only in CI
  --help           show this help`;

const { values } = parseArgs({
  options: {
    "dry-run": { type: "boolean", default: false },
    yes: { type: "boolean", default: false },
    "no-provenance": { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit();
}

if (!values["dry-run"] && !values.yes && !process.stdin.isTTY) {
  console.error(
    "The release asks before it publishes, which needs a terminal. Pass --yes to publish without a question.",
  );
  process.exit(1);
}

const REACH_TIMEOUT_MS = 30_000;

const tools: ReleaseTools = {
  isClean: async () => (await git("status", "--porcelain")) === "",
  commitOfTag: (tag) => git("rev-parse", "--verify", "--quiet", `refs/tags/${tag}^{commit}`).catch(() => undefined),
  headCommit: () => git("rev-parse", "HEAD"),
  tag: async (tag) => void (await git("tag", "-a", tag, "-m", tag)),
  isReachable: async (url) => {
    try {
      return (await fetch(url, { signal: AbortSignal.timeout(REACH_TIMEOUT_MS) })).ok;
    } catch {
      return false;
    }
  },
  isPublished: async (name, version) => {
    try {
      const { stdout } = await promisify(execFile)("npm", ["view", `${name}@${version}`, "version"], { cwd: ROOT });
      return stdout.trim() === version;
    } catch (error) {
      // Any other failure must not lead to publishing twice.
      if (/\bE404\b/u.test((error as { readonly stderr?: string }).stderr ?? "")) return false;
      throw error;
    }
  },
  publish: (name, isDryRun) => {
    const options = [
      ...(isDryRun ? ["--dry-run"] : []),
      // npm checks that it runs in CI even in a dry run.
      ...(isDryRun || values["no-provenance"] ? ["--provenance=false"] : []),
    ];
    // npm may ask for a one-time password.
    execFileSync("npm", ["publish", ...options], { cwd: join(BUILT_PACKAGES, name), stdio: "inherit" });
    return Promise.resolve();
  },
  check: async () => {
    for (const script of ["check", "check:packages"]) {
      execFileSync("npm", ["run", "--silent", script], { cwd: ROOT, stdio: "inherit" });
    }
    // After the build, which empties the folder.
    await writeSboms(join(ROOT, "dist/sbom"));
  },
  confirm: async (question) => {
    if (values.yes) return true;
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    const answer = await terminal.question(`${question} (y/N) `);
    terminal.close();
    return /^y(?:es)?$/iu.test(answer.trim());
  },
  log: console.log,
};

const { version, homepage } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as {
  readonly version: string;
  readonly homepage: string;
};
try {
  report(
    await publishRelease(
      {
        version,
        homepage,
        packages: PUBLISHED_PACKAGES.map(({ name }) => name),
        changesets: (await readChangesets(ROOT)).length,
        isInChangelog: isInChangelog(await readFile(join(ROOT, "CHANGELOG.md"), "utf8"), version),
        isDryRun: values["dry-run"],
      },
      tools,
    ),
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error("The release stopped. Run it again: it skips packages that are already published.");
  process.exitCode = 1;
}

function report(result: ReleaseResult): void {
  switch (result.status) {
    case "refused":
      console.error(`Not ready to release:\n${result.obstacles.map((obstacle) => `- ${obstacle}`).join("\n")}`);
      process.exitCode = 1;
      break;
    case "declined":
      console.error("Nothing was published.");
      process.exitCode = 1;
      break;
    case "tried":
      for (const obstacle of result.obstacles) console.error(`Not ready to release: ${obstacle}`);
      break;
    case "published":
      console.log(`Push the tag: git push origin ${result.tag}`);
      break;
  }
}

async function git(...args: readonly string[]): Promise<string> {
  return (await promisify(execFile)("git", args, { cwd: ROOT })).stdout.trim();
}
