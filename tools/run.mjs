// Runs a script of the package on a machine with only Node 20 or newer, npm and git: installs the dependencies first if
// they are missing or older than the lockfile. The dependencies include the Node that runs the scripts. This file is
// plain JavaScript, because the machine's own Node runs it.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("../", import.meta.url);
const [script, ...args] = process.argv.slice(2);

/** Whether node_modules is as new as the lockfile. npm writes its copy of the lockfile last. */
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

// Ignores Ctrl-C, which also reaches the child: the child cleans up and exits first, then this process exits.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);

if (!isInstalled()) {
  console.error("Installing dependencies (npm ci)...");
  // Prints npm's output to standard error. Standard output is reserved for the script, so that --json can be piped.
  const status = npm(["ci", "--loglevel=error", "--no-audit", "--no-fund"], ["inherit", 2, "inherit"]);
  if (status !== 0) {
    console.error("The dependencies could not be installed: see npm's message above.");
    process.exit(status);
  }
}
process.exit(npm(["run", "--silent", `${script}:run`, "--", ...args], "inherit"));
