// Runs the documented commands as a new user would, in empty folders, with the packed packages from a registry: the
// first steps, and with four package managers, all lines that install the kit and the commands that `crosscall init`
// prints. Prints times. `npm run check:quickstarts` builds first. `--only steps`, `install` or `init` runs one part.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

import { toTable } from "../../bench/table.ts";
import { packAll } from "./packAll.ts";
import { ROOT } from "./publishedPackages.ts";
import {
  checkInstallLine,
  listInstallLines,
  MANAGER_NAMES,
  type ManagerName,
  MANAGERS,
  readPages,
} from "./quickstarts/installLines.ts";
import { checkInit, PROJECTS } from "./quickstarts/initSteps.ts";
import { AGENT_FILE, FIRST_STEPS } from "./quickstarts/firstSteps.ts";
import { startRegistry } from "./quickstarts/registry.ts";
import { Shell } from "./quickstarts/shell.ts";

const execute = promisify(execFile);

/** Maximum time of a first success. A longer one is only marked, because times differ between machines. */
const SECONDS_MAX = 180;
const COMMANDS_MAX = 5;

const faults: string[] = [];
const folder = await mkdtemp(join(tmpdir(), "crosscall-quickstarts-"));
try {
  const upstream = (await execute("npm", ["config", "get", "registry"])).stdout.trim();
  await using registry = await startRegistry(await packAll(folder), upstream);
  const env = await prepare(registry.url);
  if (isWanted("steps")) await takeFirstSteps(env);
  if (isWanted("install")) await installLines(env);
  if (isWanted("init")) await followInit(env);
} finally {
  await rm(folder, { recursive: true, force: true });
}
for (const fault of faults) console.error(`FAILED: ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;

function isWanted(part: string): boolean {
  const only = process.argv.indexOf("--only");
  return only === -1 || process.argv[only + 1] === part;
}

/** Installs the package managers, and returns the environment of the shells, with empty caches for the kit's packages. */
async function prepare(registry: string): Promise<NodeJS.ProcessEnv> {
  const managers = await Shell.in(join(folder, "managers"), process.env);
  await managers.run(`npm install --no-audit --no-fund ${MANAGERS.join(" ")}`);
  const programs = [dirname(process.execPath), join(managers.folder, "node_modules/.bin")];
  return {
    ...process.env,
    NODE_OPTIONS: "",
    PATH: [...programs, process.env.PATH, join(ROOT, "node_modules/.bin")].join(delimiter),
    NO_COLOR: "1",
    npm_config_yes: "true",
    npm_config_registry: registry,
    YARN_REGISTRY: registry,
    BUN_CONFIG_REGISTRY: registry,
    // Packages of the same version differ between runs.
    YARN_CACHE_FOLDER: join(folder, "yarn"),
    BUN_INSTALL_CACHE_DIR: join(folder, "bun"),
  };
}

async function takeFirstSteps(env: NodeJS.ProcessEnv): Promise<void> {
  const rows = [["who", "page", "commands", "s"]];
  const pages = (await readPages()).join("\n");
  for (const { who, page, run } of FIRST_STEPS) {
    console.error(`${who}...`);
    await using shell = await Shell.in(join(folder, who.replaceAll(/\W+/gu, "-")), env);
    const started = performance.now();
    await note(who, () => run(shell));
    const seconds = (performance.now() - started) / 1_000;
    const { commands } = shell;
    rows.push([
      who,
      page,
      `${commands.length}${commands.length > COMMANDS_MAX ? " (over)" : ""}`,
      `${seconds.toFixed(1)}${seconds > SECONDS_MAX ? " (over)" : ""}`,
    ]);
    // An editor starts the agent.
    const undocumented = commands.filter(
      (command) => !pages.includes(documentedPart(command)) && !command.includes(AGENT_FILE),
    );
    if (undocumented.length > 0) faults.push(`${who}: no page shows ${undocumented.join(", ")}`);
  }
  console.log(toTable(rows));
}

/** Returns the part of a command line that a page must show: without ids, and without variables of this machine. */
function documentedPart(command: string): string {
  return command
    .replace(/^.*; /u, "")
    .replace(/^(?:\w+=\S+ )+/u, "")
    .replace(/ 0x[0-9a-f]{64}$/u, "")
    .replace(/^cd my-proxy && (?=npm test)/u, "");
}

async function installLines(env: NodeJS.ProcessEnv): Promise<void> {
  await withEachManager("line", await listInstallLines(), env, (shell, manager, line) =>
    checkInstallLine(shell, manager, line),
  );
}

async function followInit(env: NodeJS.ProcessEnv): Promise<void> {
  await withEachManager("crosscall init in", Object.keys(PROJECTS), env, (shell, manager, project) =>
    checkInit(shell, manager, project),
  );
}

/** Does the same with each package manager, each time in an empty folder. */
async function withEachManager(
  title: string,
  subjects: readonly string[],
  env: NodeJS.ProcessEnv,
  work: (shell: Shell, manager: ManagerName, subject: string) => Promise<void>,
): Promise<void> {
  const rows = [[title, "manager", "s"]];
  for (const subject of subjects) {
    for (const manager of MANAGER_NAMES) {
      console.error(`${manager}: ${subject}...`);
      const started = performance.now();
      {
        await using shell = await Shell.in(join(folder, "project"), env);
        await note(`${manager}: ${subject}`, () => work(shell, manager, subject));
      }
      rows.push([subject, manager, ((performance.now() - started) / 1_000).toFixed(1)]);
      await rm(join(folder, "project"), { recursive: true });
    }
  }
  console.log(toTable(rows));
}

async function note(what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    faults.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
