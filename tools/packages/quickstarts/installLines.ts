import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { PUBLISHED_PACKAGES, ROOT } from "../publishedPackages.ts";
import type { Shell } from "./shell.ts";

const COMPILER = join(ROOT, "node_modules/@typescript/native-preview/bin/tsgo");

/** Package managers that are not part of Node.js. */
export const MANAGERS = ["pnpm@10", "yarn@1", "bun@1"] as const;

/** Entry point of each package that loads without further packages. */
const ENTRIES: Readonly<Record<string, string>> = {
  "@crosscall/contracts": "@crosscall/contracts/abi",
  "@crosscall/protocol": "@crosscall/protocol",
  "@crosscall/sdk": "@crosscall/sdk",
  "@crosscall/oracle": "@crosscall/oracle/check",
  crosscall: "crosscall/localnet",
};

/** Commands that add packages, and their option for development dependencies. */
const ADD = {
  npm: { command: "npm install", development: "--save-dev" },
  pnpm: { command: "pnpm add", development: "--save-dev" },
  yarn: { command: "yarn add", development: "--dev" },
  bun: { command: "bun add", development: "--dev" },
} as const;

export type ManagerName = keyof typeof ADD;

export const MANAGER_NAMES = Object.keys(ADD) as readonly ManagerName[];

/** Returns the command line that installs packages with a package manager. */
export function addLine(manager: ManagerName, words: string): string {
  const { command, development } = ADD[manager];
  return `${command} ${words.replace("--save-dev", development)}`;
}

/** Reads the README files and the pages of the documentation. */
export async function readPages(): Promise<readonly string[]> {
  const pages = (await readdir(join(ROOT, "docs"))).filter((name) => name.endsWith(".md"));
  const files = [
    "README.md",
    ...pages.map((name) => join("docs", name)),
    ...PUBLISHED_PACKAGES.map(({ folder }) => join(folder, "README.md")),
  ];
  return Promise.all(files.map((file) => readFile(join(ROOT, file), "utf8")));
}

/** Returns what the documentation lets readers install with packages of the kit: options and names, each once. */
export async function listInstallLines(): Promise<readonly string[]> {
  const names = PUBLISHED_PACKAGES.map(({ name }) => name);
  const texts = await readPages();
  const lines = texts
    .flatMap((text) => [...text.matchAll(/npm install ((?:--?[a-z-]+ |@?[a-z][\w@./-]* ?)+)/gu)])
    .map(([, words = ""]) => words.trim())
    .filter((words) =>
      words.split(" ").some((word) => names.some((name) => word === name || word.startsWith(`${name}@`))),
    );
  return [...new Set(lines)].toSorted();
}

/** Installs packages in an empty folder, and uses each of the kit's packages from JavaScript and from TypeScript. */
export async function checkInstallLine(shell: Shell, manager: ManagerName, line: string): Promise<void> {
  await shell.run(addLine(manager, line));
  const entries = line.split(" ").flatMap((word) => {
    const name = word.replace(/(?<=.)@.*$/u, "");
    return ENTRIES[name] === undefined ? [] : [ENTRIES[name]];
  });
  const program = entries
    .map(
      (entry, index) =>
        `import * as entry${index} from "${entry}";\nif (Object.keys(entry${index}).length === 0) throw new Error("${entry}");\n`,
    )
    .join("");
  for (const file of ["use.mjs", "use.mts"]) {
    await writeFile(join(shell.folder, file), program);
    await shell.run(`node ${file}`);
  }
  const options =
    "--noEmit --strict --skipLibCheck --module nodenext --target es2023 --lib es2023,esnext.disposable,dom --types node";
  await shell.run(`node ${COMPILER} ${options} --typeRoots ${join(ROOT, "node_modules/@types")} use.mts`);
}
