import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export const COMPILER = join(ROOT, "node_modules/@typescript/native-preview/bin/tsgo");

/** Contents of a tsconfig.json for the tests of a project. */
export function compilerSettings(include: readonly string[]): string {
  const compilerOptions = {
    target: "es2024",
    module: "nodenext",
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: ["node", "mocha"],
  };
  return JSON.stringify({ compilerOptions, include });
}

export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Separate package in a temporary folder that depends on the kit. */
export interface HardhatProject {
  readonly folder: string;
  readonly write: (path: string, text: string) => Promise<void>;
  /** Runs Hardhat's command line in the project. */
  readonly hardhat: (args: readonly string[], variables?: NodeJS.ProcessEnv) => Promise<CommandResult>;
  /** Checks the types of the configuration and the tests, and returns the compiler's output. */
  readonly checkTypes: () => Promise<string>;
  readonly remove: () => Promise<void>;
}

export async function createHardhatProject(): Promise<HardhatProject> {
  const folder = await mkdtemp(join(tmpdir(), "crosscall-project-"));
  await mkdir(join(folder, "node_modules"));
  for (const name of await readdir(join(ROOT, "node_modules"))) {
    await symlink(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
  }
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const run = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandResult> =>
    new Promise((resolve) => {
      execFile(process.execPath, args, { cwd: folder, env }, (error, stdout, stderr) => {
        resolve({ exitCode: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
      });
    });
  await write("package.json", JSON.stringify({ name: "integrator", type: "module" }));
  return {
    folder,
    write,
    hardhat: (args, variables = {}) =>
      run([join(ROOT, "node_modules/hardhat/dist/src/cli.js"), ...args], { ...ownEnvironment(), ...variables }),
    async checkTypes() {
      await write("tsconfig.json", compilerSettings(["hardhat.config.ts", "ignition", "test", "types"]));
      return (await run([COMPILER, "--singleThreaded", "-p", folder], process.env)).stdout;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Hardhat sets environment variables that make child processes use this test's project. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:HARDHAT|HH|CROSSCALL)_/u.test(name));
  return { ...Object.fromEntries(own), NO_COLOR: "1" };
}
