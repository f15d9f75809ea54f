// Prepares a release: `npm run version`. Raises the version by the changesets and deletes them, dates CHANGELOG.md's
// section, and updates the lockfile and what is generated. A version that was never released stays as it is.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { ROOT } from "../packages/publishedPackages.ts";
import { readChangesets } from "./releaseLevel.ts";
import { releaseChangelog } from "./releaseChangelog.ts";

const MANIFEST = join(ROOT, "packages/sdk/package.json");

const previous = readVersion(MANIFEST);
const changesets = await readChangesets(ROOT);
const isReleased =
  execFileSync("git", ["tag", "--list", `v${previous}`], { cwd: ROOT, encoding: "utf8" }).trim() !== "";
if (changesets.length === 0 && isReleased) {
  console.error("Nothing to release: there is no changeset. Run `npm run changeset`.");
  process.exit(1);
}

const dated = join(ROOT, "CHANGELOG.md");
// Before anything is written, since it may throw.
releaseChangelog(readFileSync(dated, "utf8"), previous, "");
if (changesets.length > 0) run("changeset", ["version"]);
const version = readVersion(MANIFEST);
const today = new Date().toISOString().slice(0, 10);
writeFileSync(dated, releaseChangelog(readFileSync(dated, "utf8"), version, today));
run("npm", ["run", "--silent", "lock"]);
run("npm", ["run", "--silent", "generate"]);
run("npm", ["run", "--silent", "snapshot:api"]);
console.log(`${version} is prepared. Review the changes, commit them, and run \`npm run release\`.`);

function readVersion(path: string): string {
  return (JSON.parse(readFileSync(path, "utf8")) as { readonly version: string }).version;
}

function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { cwd: ROOT, stdio: "inherit", shell: process.platform === "win32" });
}
