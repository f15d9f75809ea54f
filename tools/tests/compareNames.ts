// Lists tests in another commit that are missing in the checkout: `node tools/tests/compareNames.ts <commit>`. Compares
// by name, so moved tests count as kept.
import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Untracked folders of this checkout that the older commit uses. */
const SHARED = ["artifacts", "artifacts-london", "cache", "typechain-types"];

/** Folder in `node_modules` with links to the checkout's own packages. */
const OWN_PACKAGES = "@crosscall";

const CONFIG = "hardhat.names.config.ts";

const [commit] = process.argv.slice(2);
if (commit === undefined) throw new Error("pass the commit to compare with: compareNames.ts <commit>");

const folder = await mkdtemp(join(tmpdir(), "crosscall-names-"));
const older = join(folder, "checkout");
try {
  await run("git", ["worktree", "add", "--detach", older, commit], { cwd: ROOT });
  await Promise.all(SHARED.map((name) => symlink(join(ROOT, name), join(older, name)).catch(() => undefined)));
  await linkDependencies(join(older, "node_modules"));
  const [before, now] = [await listNames(older), await listNames(ROOT)];
  const gone = [...before].filter((name) => !now.has(name)).toSorted();
  const added = [...now].filter((name) => !before.has(name));
  for (const name of gone) console.log(`- ${name}`);
  console.log(`${commit}: ${before.size} tests. Now: ${now.size}. Removed: ${gone.length}, new: ${added.length}.`);
} finally {
  await run("git", ["worktree", "remove", "--force", older], { cwd: ROOT });
  await rm(folder, { recursive: true });
}

/** Links the dependencies. The kit's packages resolve to the older commit's own sources. */
async function linkDependencies(target: string): Promise<void> {
  const source = join(ROOT, "node_modules");
  await mkdir(join(target, OWN_PACKAGES), { recursive: true });
  const names = (await readdir(source)).filter((name) => name !== OWN_PACKAGES);
  await Promise.all(names.map((name) => symlink(join(source, name), join(target, name))));
  for (const name of await readdir(join(source, OWN_PACKAGES))) {
    // The target is relative to the folder of the link.
    const link = await readlink(join(source, OWN_PACKAGES, name));
    await symlink(link, join(target, OWN_PACKAGES, name));
  }
}

async function listNames(root: string): Promise<ReadonlySet<string>> {
  const typescript = globSync("test/**/*.test.ts", { cwd: root }).sort();
  const config = [
    'import config from "./hardhat.config.ts";',
    "const mocha = { ...config.test?.mocha, dryRun: true, reporter: 'json', rootHooks: {} };",
    "export default { ...config, test: { ...config.test, mocha } };",
  ];
  await writeFile(join(root, CONFIG), config.join("\n"));
  try {
    const hardhat = join(root, "node_modules/hardhat/dist/src/cli.js");
    const args = [hardhat, "--config", CONFIG, "test", "mocha", "--no-compile", ...typescript];
    const { stdout } = await run(process.execPath, args, { cwd: root, maxBuffer: 2 ** 28 });
    const { tests } = JSON.parse(stdout.slice(stdout.indexOf("\n{") + 1)) as { tests: { fullTitle: string }[] };
    return new Set([...tests.map(({ fullTitle }) => fullTitle), ...(await listSolidity(root))]);
  } finally {
    await rm(join(root, CONFIG));
  }
}

async function listSolidity(root: string): Promise<readonly string[]> {
  const files = globSync("test/contracts/**/*.t.sol", { cwd: root });
  const texts = await Promise.all(files.map((file) => readFile(join(root, file), "utf8")));
  return texts.flatMap((text) =>
    [...text.matchAll(/^\s*function ((?:test|invariant)\w*)/gmu)].map(([, name = ""]) => `Solidity ${name}`),
  );
}
