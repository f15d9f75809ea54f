import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { build } from "esbuild";

import type { Redirects } from "./redirectFetch.ts";

/** Module that lets a program reach only loopback and redirected URLs. */
export const PRELOAD = new URL("redirectFetch.ts", import.meta.url).href;
const execute = promisify(execFile);

/** Folder with copies of other people's programs. */
export const COPIES = process.env.CROSSCALL_OTHER_PROGRAMS;

/** Folder of a copy, or undefined if the copy is missing. */
export function findCopy(path: string): string | undefined {
  const found = resolve(COPIES ?? "", path);
  return COPIES !== undefined && existsSync(found) ? found : undefined;
}

/** Commit and date of a checkout, or version of an installed package. */
export async function versionOf(folder: string): Promise<string> {
  if (folder.includes("node_modules")) {
    const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as { version: string };
    return version;
  }
  const { stdout } = await execute("git", ["-C", folder, "log", "-1", "--format=%h of %cs"]);
  return stdout.trim();
}

/** Imports a file from a copy, which resolves packages from the copy. */
export async function importCopy<Module>(file: string): Promise<Module> {
  if (!file.endsWith(".ts")) return (await import(pathToFileURL(file).href)) as Module;
  const { outputFiles } = await build({ entryPoints: [file], bundle: true, format: "esm", write: false });
  const code = Buffer.from(outputFiles[0]?.contents ?? "").toString("base64");
  return (await import(`data:text/javascript;base64,${code}`)) as Module;
}

/** Imports a package that a copy has installed. */
export async function importFrom<Module>(folder: string, name: string): Promise<Module> {
  return importCopy<Module>(createRequire(join(folder, "package.json")).resolve(name));
}

/** Runs a file with Node.js in the copy's folder. The program can reach only loopback and redirected URLs. */
export async function runCopy(
  folder: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  redirects: Redirects,
): Promise<{ readonly code: number; readonly output: string }> {
  const preload = { NODE_OPTIONS: `--import ${PRELOAD}`, CROSSCALL_REDIRECTS: JSON.stringify(redirects) };
  const env = { ...process.env, ...preload, ...variables };
  try {
    const { stdout } = await execute(process.execPath, args, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 });
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: `${stdout}\n${stderr}` };
  }
}
