// Runs one of the package's own scripts on a machine that has nothing but Node 20 or newer, npm and git: installs the
// dependencies first when they are missing or older than the lockfile. Those bring the Node that the scripts run on.
// Plain JavaScript, because the machine's own Node may run it.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("../../", import.meta.url);
const [script, ...args] = process.argv.slice(2);

/** Whether node_modules is as new as the lockfile: npm writes its own copy of the lockfile last. */
function isInstalled() {
  const installed = new URL("node_modules/.package-lock.json", root);
  if (!existsSync(installed)) return false;
  return statSync(installed).mtimeMs >= statSync(new URL("package-lock.json", root)).mtimeMs;
}

function npm(parameters, stdio) {
  const { status, signal, error } = spawnSync("npm", parameters, {
    cwd: fileURLToPath(root),
    stdio,
    shell: process.platform === "win32",
  });
  if (error !== undefined) console.error(`npm could not be started: ${error.message}`);
  return signal === null ? (status ?? 1) : 130;
}

// Ctrl-C reaches the child too: it cleans up and ends, and only then does this process.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);

if (!isInstalled()) {
  console.error("Installing dependencies (npm ci)...");
  // Standard output stays the script's own, so that --json can be piped.
  const status = npm(["ci", "--loglevel=error", "--no-audit", "--no-fund"], ["inherit", 2, "inherit"]);
  if (status !== 0) {
    console.error("The dependencies could not be installed: see npm's message above.");
    process.exit(status);
  }
}
process.exit(npm(["run", "--silent", `${script}:run`, "--", ...args], "inherit"));
