import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { CreateError } from "./createError.ts";
import type { TemplateName } from "./templates.ts";

const TEMPLATES_FOLDER = fileURLToPath(new URL("../templates/", import.meta.url));

/** Real file names by their names in the npm package. npm does not publish files with the real names. */
const RENAMED: Readonly<Record<string, string>> = { _gitignore: ".gitignore" };

const GIT = ".git";

interface Project {
  /** Absolute. */
  readonly folder: string;
  readonly template: TemplateName;
  readonly packageName: string;
  /** Version of this package and of the project's crosscall packages. */
  readonly version: string;
  readonly signal: AbortSignal;
}

/**
 * Writes the files of a project to a new or empty folder (see `requireEmpty`). Restores the folder after an error or an
 * abort.
 *
 * @returns supported range of Node.js versions
 */
export async function writeProject({ folder, template, packageName, version, signal }: Project): Promise<string> {
  const source = join(TEMPLATES_FOLDER, template);
  const created = await mkdir(folder, { recursive: true });
  try {
    const manifest = projectManifest(await readFile(join(source, "package.json"), "utf8"), { packageName, version });
    for (const path of await listFiles(source)) {
      const target = join(folder, targetPath(path));
      await mkdir(dirname(target), { recursive: true });
      if (path === "package.json") await writeFile(target, manifest);
      else await copyFile(join(source, path), target);
      if (signal.aborted) throw abortedError();
    }
    return (JSON.parse(manifest) as { readonly engines: { readonly node: string } }).engines.node;
  } catch (error) {
    const names = (await readdir(folder)).filter((name) => name !== GIT);
    await Promise.all(
      [...names.map((name) => join(folder, name)), ...(created === undefined ? [] : [created])].map(remove),
    );
    throw error;
  }
}

/** Throws if a folder has files, except the files of a new git repository. */
export async function requireEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw new CreateError("INVALID_STATE", `${folder} is not a readable folder.`, "Choose another folder.");
  });
  const others = names.filter((name) => name !== GIT);
  if (others.length === 0) return;
  const [first = "", ...rest] = others.toSorted();
  const files = rest.length === 0 ? first : `${first} and ${rest.length} more`;
  throw new CreateError("INVALID_STATE", `${folder} is not empty: it contains ${files}.`, "Choose a new folder.");
}

/** Returns a project's package.json. Sets its name, and pins crosscall packages to `^version`. */
export function projectManifest(template: string, parameters: { packageName: string; version: string }): string {
  const manifest = JSON.parse(template) as Record<string, unknown>;
  for (const group of ["dependencies", "devDependencies"]) {
    const ranges = manifest[group] as Record<string, string> | undefined;
    if (ranges === undefined) continue;
    for (const name of Object.keys(ranges)) {
      if (name === "crosscall" || name.startsWith("@crosscall/")) ranges[name] = `^${parameters.version}`;
    }
  }
  return `${JSON.stringify({ ...manifest, name: parameters.packageName }, null, 2)}\n`;
}

function targetPath(path: string): string {
  const name = path.split("/").at(-1) ?? path;
  return join(dirname(path), RENAMED[name] ?? name);
}

/** Lists the paths of the files in a folder, with `/` as separator. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const paths = await Promise.all(
    entries.map(async (entry) => {
      if (!entry.isDirectory()) return [entry.name];
      return (await listFiles(join(folder, entry.name))).map((path) => `${entry.name}/${path}`);
    }),
  );
  return paths.flat();
}

function abortedError(): CreateError {
  return new CreateError("ABORTED", "Stopped. The new files were removed.", "Run the command again.");
}

function remove(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true });
}
